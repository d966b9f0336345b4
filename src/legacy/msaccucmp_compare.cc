// msaccucmp compare: which of its ways to compare the options mean, and which
// options exclude each other.
#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <cstdio>
#include <filesystem>

#include "base/parallel.h"
#include "legacy/advisor.h"
#include "legacy/msaccucmp_commands.h"
#include "legacy/msaccucmp_files.h"
#include "legacy/msaccucmp_network.h"
#include "legacy/old_arguments.h"
#include "legacy/single_operator.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram = "msaccucmp compare";

constexpr OldOption kOptions[] = {
    {"-m,--my_dump_path", OldOption::kOne, "file or folder under test", true},
    {"-g,--golden_dump_path", OldOption::kOne, "reference file or folder",
     true},
    {"-f,--fusion_rule_file", OldOption::kOne,
     "graph of the model: JSON of atc, ge_proto text, .om; a folder of them "
     "compares all models"},
    {"-q,--quant_fusion_rule_file", OldOption::kOne,
     "rule file of a quantiser"},
    {"-cf,--close_fusion_rule_file", OldOption::kOne,
     "graph of the build without fusion"},
    {"-out,--output", OldOption::kOne, "folder for the results [.]"},
    {"-c,--custom_script_path", OldOption::kOne,
     "folder with algorithm/alg_NAME.py and format_convert/"},
    {"-a,--algorithm_options", OldOption::kOne, "Alg:key=value,key2=value2;…"},
    {"-alg,--algorithm", OldOption::kMany,
     "names or numbers of algorithms, as 0,MaxAbsoluteError [all]"},
    {"-map,--mapping", OldOption::kNothing,
     "only write which file meets which"},
    {"-overflow_detection", OldOption::kNothing, "add the column OverFlow"},
    {"-r,--range", OldOption::kOne, "operators start,end,step of the graph"},
    {"-s,--select", OldOption::kOne, "operators i,j,… of the graph"},
    {"-p,--post_process", OldOption::kOne, "1: extract bad rows (.h5 only)",
     false, "0,1"},
    {"-max,--max_cmp_size", OldOption::kOne,
     "compare so many elements; 0: all [0]"},
    {"-advisor", OldOption::kNothing, "write advisor_summary.txt"},
    {"-v,--version", OldOption::kOne, "of the dump files [2]", false, "1,2"},
    {"-op,--op_name", OldOption::kOne, "compare one operator, in detail"},
    {"-o,--output_tensor", OldOption::kOne, "its output [0]"},
    {"-i,--input_tensor", OldOption::kOne, "its input"},
    {"--ignore_single_op_result", OldOption::kNothing,
     "leave the full table of the operator out"},
    {"-n,--topn", OldOption::kOne, "largest errors shown, 1 to 10000 [20]"},
    {"-ml,--max_line", OldOption::kOne,
     "lines of a file, 10000 to 1000000 [1000000]"},
    {"-ffts", OldOption::kNothing, "compare slices of ffts+ as they are"},
    {"--lang", OldOption::kOne, "language of the advice [en]", false, "en,zh"},
};

OldFailure Wrong(std::string_view text) {
  return Failure(OldCode::kParameter, "{}", text);
}

bool IsInteger(const std::string& text) {
  int64_t value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool IsDigit(const std::string& word) {
  return word.size() == 1 && std::isdigit(static_cast<unsigned char>(word[0]));
}

// "-alg 1 2 3" is a list of numbers if its second word is one; other words do
// not follow the first.
Status CheckAlgorithms(const std::vector<std::string>& words) {
  if (words.size() < 2) return Done{};
  if (!IsDigit(words[1])) return Usage("unrecognized arguments: {}", words[1]);
  for (const std::string& word : words) {
    if (IsDigit(word)) continue;
    return Usage("argument -alg/--algorithm: invalid choice: '{}'", word);
  }
  return Done{};
}

// What argparse itself checks.
Status CheckWords(const OldArguments& args) {
  for (const std::string_view path :
       {"-m", "-g", "-f", "-q", "-cf", "-out", "-c"}) {
    if (!IsOldPath(args.Text(path))) {
      return Usage(
          "argument {}: '{}' has a character that is none of "
          "_A-Za-z0-9/.,-",
          path, args.Text(path));
    }
  }
  for (const std::string_view number : {"-max", "-n", "-ml"}) {
    if (args.Has(number) && !IsInteger(args.Text(number))) {
      return Usage("argument {}: invalid int value: '{}'", number,
                   args.Text(number));
    }
  }
  if (args.Has("-o") && args.Has("-i")) {
    return Usage("argument -i: not allowed with argument -o");
  }
  return CheckAlgorithms(args.Words("-alg"));
}

int64_t NumberOf(const OldArguments& args, std::string_view option,
                 int64_t other) {
  return args.Has(option) ? std::stoll(args.Text(option)) : other;
}

OldStatus CheckSingle(const OldArguments& args) {
  if (!args.Has("-op")) {
    for (const std::string_view option :
         {"-o", "-i", "--ignore_single_op_result", "-n", "-ml"}) {
      if (args.Has(option)) return Wrong(fmt::format("{} needs -op.", option));
    }
    return Done{};
  }
  const int64_t n = NumberOf(args, "-n", 20);
  const int64_t lines = NumberOf(args, "-ml", 1000000);
  if (n < 1 || n > 10000) {
    return Failure(OldCode::kIndex, "-n is to be 1 to 10000.");
  }
  if (lines < 10000 || lines > 1000000) {
    return Wrong("-ml is to be 10000 to 1000000.");
  }
  for (const std::string_view option : {"-o", "-i"}) {
    if (!args.Has(option)) continue;
    if (!IsInteger(args.Text(option)) || NumberOf(args, option, 0) < 0) {
      return Wrong(fmt::format("{} is to be a number.", option));
    }
  }
  return Done{};
}

OldStatus CheckConflicts(const OldArguments& args) {
  const bool rule = args.Has("-f") || args.Has("-q");
  if (NumberOf(args, "-max", 0) < 0) return Wrong("-max is to be 0 or more.");
  if (auto single = CheckSingle(args); !single) return single;
  if (args.Has("-map") && (!rule || args.Has("-op"))) {
    return Wrong("-map needs -f or -q, and excludes -op, -i and -o.");
  }
  const bool some = args.Has("-r") || args.Has("-s");
  if (some && !args.Has("-f")) return Wrong("-r and -s need -f.");
  if (some && args.Has("-op")) return Wrong("-r and -s exclude -op.");
  if (args.Has("-r") && args.Has("-s")) return Wrong("-r excludes -s.");
  const bool h5 =
      args.Text("-m").ends_with(".h5") && args.Text("-g").ends_with(".h5");
  if (args.Has("-p") && !h5) return Wrong("-p is for two .h5 files.");
  return Done{};
}

bool WantsAdvice(const OldArguments& args) {
  if (!args.Has("-advisor")) return false;
  for (const std::string_view option : {"-r", "-s", "-op"}) {
    if (!args.Has(option)) continue;
    LogWarning(
        fmt::format("-advisor is left out: {} shows a part of the "
                    "model only.",
                    option));
    return false;
  }
  return true;
}

// As tables and messages name it.
std::string RealPath(const std::string& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return error ? path : real.string();
}

NetworkRequest MakeRequest(const OldArguments& args,
                           std::vector<OldAlgorithm> algorithms) {
  NetworkRequest request{.my = RealPath(args.Text("-m")),
                         .golden = RealPath(args.Text("-g")),
                         .fusion = args.Text("-f"),
                         .close = args.Text("-cf"),
                         .quant = args.Text("-q"),
                         .scripts = args.Text("-c"),
                         .out = args.Text("-out", "."),
                         .range = args.Text("-r"),
                         .select = args.Text("-s"),
                         .has_range = args.Has("-r"),
                         .has_select = args.Has("-s"),
                         .mapping = args.Has("-map"),
                         .ffts = args.Has("-ffts")};
  request.table.overflow = args.Has("-overflow_detection");
  request.table.ask.algorithms = std::move(algorithms);
  request.table.ask.first = static_cast<uint64_t>(NumberOf(args, "-max", 0));
  request.table.ask.threads = DefaultThreads();
  return request;
}

SingleOperator MakeSingle(const OldArguments& args) {
  const bool input = args.Has("-i");
  return {
      .op = args.Text("-op"),
      .input = input,
      .tensor = static_cast<int32_t>(NumberOf(args, input ? "-i" : "-o", 0)),
      .top = static_cast<size_t>(NumberOf(args, "-n", 20)),
      .lines = static_cast<uint64_t>(NumberOf(args, "-ml", 1000000)),
      .full_table = !args.Has("--ignore_single_op_result")};
}

OldResult<int> CompareFolders(const OldArguments& args,
                              NetworkRequest request) {
  const bool advice = WantsAdvice(args);
  request.table.overflow = request.table.overflow || advice;
  Network network;
  if (auto opened = OpenNetwork(request, network); !opened) {
    return opened.error();
  }
  if (args.Has("-op")) {
    const auto done = CompareOperator(network, MakeSingle(args), request.out);
    if (!done) return done.error();
    return 0;
  }
  const auto result = CompareNetwork(request, network);
  if (!result) return result.error();
  LogInfo(fmt::format("The comparison result have been written to \"{}\".",
                      result->path));
  if (advice && result->matched && !request.mapping) {
    const auto advised = Advise(result->table, network.input_nodes);
    if (!advised) return advised.error();
    const auto wrote =
        WriteAdvice(*advised, request.out, args.Text("--lang") == "zh");
    if (!wrote) return wrote.error();
  }
  return static_cast<int>(result->code);
}

OldResult<int> CompareHdf5Files(const OldArguments& args,
                                const NetworkRequest& request) {
  for (const std::string_view option : {"-f", "-q", "-c", "-op", "-map"}) {
    if (args.Has(option)) {
      return Wrong(fmt::format("{} is not for .h5 files.", option));
    }
  }
  if (args.Text("-v") == "1") return Wrong("-v is not for .h5 files.");
  const auto table = CompareHdf5(request, args.Text("-p") == "1");
  if (!table) return table.error();
  if (!args.Has("-advisor")) return 0;
  const auto advice = Advise(*table, {});
  if (!advice) return advice.error();
  const auto wrote =
      WriteAdvice(*advice, request.out, args.Text("--lang") == "zh");
  if (!wrote) return wrote.error();
  return 0;
}

OldResult<int> Compare(const OldArguments& args) {
  if (auto fine = CheckConflicts(args); !fine) return fine.error();
  for (const std::string_view option : {"-m", "-g"}) {
    std::error_code ignored;
    if (fs::exists(args.Text(option), ignored)) continue;
    return Failure(OldCode::kPath, "The path \"{}\" does not exist.",
                   args.Text(option));
  }
  if (args.Text("-v") == "1") {
    LogWarning("Version 1 of the dump files is read as any other.");
  }
  auto algorithms =
      ChooseAlgorithms({args.Words("-alg"), args.Text("-c"), args.Text("-a")});
  if (!algorithms) return algorithms.error();
  NetworkRequest request = MakeRequest(args, *std::move(algorithms));
  const bool my_file = fs::is_regular_file(request.my);
  const bool golden_file = fs::is_regular_file(request.golden);
  if (my_file && golden_file && request.my.ends_with(".h5") &&
      request.golden.ends_with(".h5")) {
    return CompareHdf5Files(args, request);
  }
  if (my_file && golden_file) return CompareTwoFiles(request);
  if (my_file || golden_file) {
    return Failure(OldCode::kPath, "The path \"{}\" is not a directory.",
                   my_file ? request.my : request.golden);
  }
  if (!request.fusion.empty() && fs::is_directory(request.fusion)) {
    if (args.Has("-op")) return Wrong("-op is for one model.");
    return CompareBatch(request);
  }
  return CompareFolders(args, std::move(request));
}

}  // namespace

int RunMsaccucmpCompare(const std::vector<std::string>& words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return RefuseArguments(kProgram, args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp(kProgram, "Compare two dumps.", kOptions));
    return 0;
  }
  if (const auto fine = CheckWords(*args); !fine) {
    return RefuseArguments(kProgram, fine.error());
  }
  const auto code = Compare(*args);
  return code ? *code : GiveUp(code.error());
}

}  // namespace assay
