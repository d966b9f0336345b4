// msit debug compare with data that was dumped before: msaccucmp's table with
// three more columns, what the analyser finds in it, and the advice.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/parallel.h"
#include "base/text.h"
#include "legacy/advisor.h"
#include "legacy/analyser.h"
#include "legacy/compare_arguments.h"
#include "legacy/legacy_tool.h"
#include "legacy/mindie_compare.h"
#include "legacy/msaccucmp_commands.h"
#include "legacy/msaccucmp_network.h"
#include "legacy/msit_debug_table.h"
#include "legacy/old_arguments.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kProgram = "debug compare";

constexpr OldOption kOptions[] = {
    {"-mp,--mp,--my-path", OldOption::kOne,
     "dump of the device: its root or any folder of it"},
    {"-gp,--gp,--golden-path", OldOption::kOne, "dump of the framework"},
    {"--ops-json", OldOption::kOne,
     "graph: JSON of atc, ge_proto text, .om, or a folder of them"},
    {"-o,--output", OldOption::kOne, "folder for the table [.]"},
    {"--advisor", OldOption::kNothing,
     "look for float16 overflow, and write advisor_summary.txt"},
    {"-max,--max-cmp-size", OldOption::kOne,
     "compare so many elements; 0: all [0]"},
    {"-q,--quant-fusion-rule-file", OldOption::kOne,
     "rule file of a quantiser"},
    {"--lang", OldOption::kOne, "language of the advice [en]", false, "en,zh"},
    // What follows runs models, on a device or through the vendor's tools.
    {"-gm,--golden-model", OldOption::kOne, "needs hardware"},
    {"-om,--om-model", OldOption::kOne, "needs hardware"},
    {"-w,--weight", OldOption::kOne, "needs hardware"},
    {"-i,--input", OldOption::kOne, "needs hardware"},
    {"-is,--input-shape", OldOption::kOne, "needs hardware"},
    {"-outsize,--output-size", OldOption::kOne, "needs hardware"},
    {"-n,--output-nodes", OldOption::kOne, "needs hardware"},
    {"-dr,--dym-shape-range", OldOption::kOne, "needs hardware"},
    {"--convert", OldOption::kOne, "needs hardware"},
    {"--locat", OldOption::kOne, "needs hardware"},
    {"-cp,--custom-op", OldOption::kOne, "needs hardware"},
    {"--fusion-switch-file", OldOption::kOne, "needs hardware"},
    {"-single,--single-op", OldOption::kOne, "needs hardware"},
    {"--saved_model_signature", OldOption::kOne, "needs hardware"},
    {"--saved_model_tag_set", OldOption::kOne, "needs hardware"},
    // Accepted, without a meaning for data that is there.
    {"-c,--cann-path", OldOption::kOne, "not needed here"},
    {"-d,--device", OldOption::kOne, "not needed here"},
    {"--dump", OldOption::kOne, "not needed here"},
    {"-ofs,--onnx-fusion-switch", OldOption::kOne, "not needed here"},
};

OldFailure Refusal(std::string_view what, std::string_view hint) {
  return Failure(OldCode::kUnknown, "{} ({})", what, hint);
}

// A switch may be given as off, which it is anyway.
bool IsOff(std::string_view key, const std::string& text) {
  constexpr std::string_view kSwitches[] = {"--convert", "--locat", "-single"};
  constexpr std::string_view kOff[] = {"no", "false", "f", "n", "0"};
  return std::ranges::find(kSwitches, key) != std::end(kSwitches) &&
         std::ranges::find(kOff, Lower(text)) != std::end(kOff);
}

// What argparse refuses there.
Status CheckWords(const OldArguments& args) {
  if (args.Has("-max") && !IsInteger(args.Text("-max"))) {
    return Usage("argument -max/--max-cmp-size: invalid int value: '{}'",
                 args.Text("-max"));
  }
  for (const std::string_view path : {"-mp", "-gp", "--ops-json"}) {
    std::error_code ignored;
    if (!args.Has(path) || fs::exists(args.Text(path), ignored)) continue;
    return Usage("argument {}: input path:{} is illegal. Please check.", path,
                 args.Text(path));
  }
  return Done{};
}

// Options that would run a model.
OldStatus CheckRunsNothing(const OldArguments& args) {
  for (const OldOption& option : kOptions) {
    if (option.help != "needs hardware") continue;
    const std::string_view key = option.names.substr(0, option.names.find(','));
    if (!args.Has(key) || IsOff(key, args.Text(key))) continue;
    return Refusal(
        fmt::format("{} would run a model on the device, which assay does not",
                    key),
        "dump on the device first, then give -gp, -mp and --ops-json; 'assay "
        "dump' runs ONNX models here");
  }
  return Done{};
}

OldResult<NetworkRequest> MakeRequest(const OldArguments& args) {
  const bool all = args.Has("-mp") && args.Has("-gp") && args.Has("--ops-json");
  if (!all) {
    return Refusal("-gp, -mp and --ops-json belong together",
                   "give all three: golden dump, device dump, graph");
  }
  const int64_t most = NumberOf(args, "-max", 0);
  if (most < 0) return Wrong("-max is to be 0 or more.");
  const std::string graph = args.Text("--ops-json");
  NetworkRequest request{.my = args.Text("-mp"),
                         .golden = args.Text("-gp"),
                         .fusion = graph,
                         .quant = args.Text("-q"),
                         .out = args.Text("-o", ".")};
  request.table.ask.threads = DefaultThreads();
  request.table.overflow = args.Has("--advisor");
  request.table.ask.first = static_cast<uint64_t>(most);
  auto algorithms = ChooseAlgorithms({});
  if (!algorithms) return algorithms.error();
  request.table.ask.algorithms = *std::move(algorithms);
  return request;
}

// A folder of MindIE-Torch's tables in place of a graph.
OldStatus CompareByMindie(const OldArguments& args) {
  const auto table = CompareMindie(
      {args.Text("-gp"), args.Text("-mp"), args.Text("--ops-json")});
  if (!table) return Failure(OldCode::kUnknown, table.error());
  const std::string path = args.Text("-o", ".") + "/comparison_results.csv";
  if (auto wrote = WriteOldFile(path, CsvText(*table, LineEnd::kCrLf));
      !wrote) {
    return wrote;
  }
  LogInfo(fmt::format("The comparison result is in {}.", path));
  return Done{};
}

// What the analyser prints; a table without numbers is nothing good.
std::string FindingsText(const TableRows& table) {
  const auto bad = Analyse(table, AnalyserStrategy::kFirst);
  if (!bad.empty()) return AnalyserText(table, bad);
  const int reason = FindColumn(table[0], "CompareFailReason");
  const bool compared =
      std::any_of(table.begin() + 1, table.end(), [&](const CsvRow& row) {
        return row[static_cast<size_t>(reason)].empty();
      });
  return compared ? "No row is beyond the limits of accuracy.\n"
                  : "No row could be compared; CompareFailReason tells why.\n";
}

OldStatus Compare(const OldArguments& args) {
  if (auto fine = CheckRunsNothing(args); !fine) return fine;
  if (IsMindieMapping(args.Text("--ops-json")) && args.Has("-mp") &&
      args.Has("-gp")) {
    return CompareByMindie(args);
  }
  const auto request = MakeRequest(args);
  if (!request) return request.error();
  Network network;
  if (auto opened = OpenNetwork(*request, network); !opened) return opened;
  auto result = CompareNetwork(*request, network);
  if (!result) return result.error();
  AddMsitColumns(result->table);
  if (auto wrote = WriteOldFile(result->path, TableText(result->table));
      !wrote) {
    return wrote;
  }
  LogInfo(fmt::format("The comparison result is in {}.", result->path));
  fmt::print("{}", FindingsText(result->table));
  const auto advice = Advise(result->table, {});
  if (!advice) return advice.error();
  const bool chinese = args.Text("--lang") == "zh";
  fmt::print("{}", AdviceText(*advice, chinese));
  if (!args.Has("--advisor")) return Done{};
  return WriteAdvice(*advice, request->out, chinese);
}

int Run(const std::vector<std::string>& words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return RefuseArguments(kProgram, args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp(kProgram,
                             "Compare a device's dump with a framework's, "
                             "through the graph.",
                             kOptions));
    return 0;
  }
  if (const auto fine = CheckWords(*args); !fine) {
    return RefuseArguments(kProgram, fine.error());
  }
  const auto done = Compare(*args);
  if (done) return 0;
  GiveUp(done.error());
  return 1;  // msit has one code, whatever msaccucmp ended with
}

}  // namespace

void AddMsitColumns(TableRows& table) {
  if (table.empty()) return;
  const CsvRow heading = table[0];
  const auto cell = [&](const CsvRow& row, std::string_view name) {
    const int at = FindColumn(heading, name);
    return at < 0 ? std::string() : row[static_cast<size_t>(at)];
  };
  constexpr std::string_view kNotJudged[] = {"Data", "TransData",
                                             "PartitionCall"};
  table[0].insert(table[0].end(),
                  {"IsNpuOps", "IsOutputNode", "IsPrecisionError"});
  for (size_t i = 1; i < table.size(); ++i) {
    CsvRow& row = table[i];
    const bool only_device = cell(row, "GroundTruth") == "*";
    const bool judged = std::ranges::find(kNotJudged, cell(row, "OpType")) ==
                            std::end(kNotJudged) &&
                        !std::isnan(std::strtod(
                            cell(row, "CosineSimilarity").c_str(), nullptr));
    const bool bad = judged && !BeyondLimits(heading, row, true).empty();
    row.insert(row.end(),
               {only_device ? "YES" : "NO", "NO", bad ? "YES" : "NO"});
  }
}

extern constinit const LegacyTool kMsitDebug = {
    .words = "debug compare",
    .sentence =
        "msit debug compare: dumps, a graph, msaccucmp's table and more",
    .run = Run,
};

}  // namespace assay
