// msaccucmp compare: which of its ways to compare the options mean, and which
// options exclude each other.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>

#include "base/parallel.h"
#include "legacy/advisor.h"
#include "legacy/compare_arguments.h"
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
                         .has_range = IsGiven(args, "-r"),
                         .has_select = IsGiven(args, "-s"),
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
  if (IsGiven(args, "-op")) {
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
  if (auto fine = CheckCompareArguments(args); !fine) return fine.error();
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
  if (my_file && golden_file && !request.mapping) {
    return CompareTwoFiles(request);
  }
  if (auto fine = CheckFolderArguments(args); !fine) return fine.error();
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
  if (const auto fine = CheckCompareWords(*args); !fine) {
    return RefuseArguments(kProgram, fine.error());
  }
  const auto code = Compare(*args);
  return code ? *code : GiveUp(code.error());
}

}  // namespace assay
