// msit debug compare with data that was dumped before: msaccucmp's table with
// three more columns, what the analyser finds in it, and the advice.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "base/parallel.h"
#include "legacy/advisor.h"
#include "legacy/analyser.h"
#include "legacy/legacy_tool.h"
#include "legacy/mindie_compare.h"
#include "legacy/msaccucmp_commands.h"
#include "legacy/msaccucmp_network.h"
#include "legacy/msit_debug_table.h"
#include "legacy/old_arguments.h"

namespace assay {
namespace {

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

// Options that would run a model.
OldStatus CheckRunsNothing(const OldArguments& args) {
  for (const OldOption& option : kOptions) {
    if (option.help != "needs hardware") continue;
    const std::string_view key = option.names.substr(0, option.names.find(','));
    if (!args.Has(key)) continue;
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
  const std::string graph = args.Text("--ops-json");
  NetworkRequest request{.my = args.Text("-mp"),
                         .golden = args.Text("-gp"),
                         .fusion = graph,
                         .quant = args.Text("-q"),
                         .out = args.Text("-o", ".")};
  request.table.ask.threads = DefaultThreads();
  request.table.overflow = args.Has("--advisor");
  request.table.ask.first =
      std::strtoull(args.Text("-max", "0").c_str(), nullptr, 10);
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
  const auto bad = Analyse(result->table, AnalyserStrategy::kFirst);
  fmt::print("{}", bad.empty() ? "No row is beyond the limits of accuracy.\n"
                               : AnalyserText(result->table, bad));
  const auto advice = Advise(result->table, {});
  if (!advice) return advice.error();
  const bool chinese = args.Text("--lang") == "zh";
  fmt::print("{}", AdviceText(*advice, chinese));
  if (!args.Has("--advisor")) return Done{};
  return WriteAdvice(*advice, request->out, chinese);
}

int Run(std::vector<std::string> words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return RefuseArguments(kProgram, args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp(kProgram,
                             "Compare a device's dump with a framework's, "
                             "through the graph.",
                             kOptions));
    return 0;
  }
  const auto done = Compare(*args);
  return done ? 0 : GiveUp(done.error());
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
