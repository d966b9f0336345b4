#include "pipeline/compare.h"

#include <fmt/format.h>

#include "app/command.h"
#include "app/common_options.h"
#include "app/compare_timed.h"
#include "app/interrupt.h"
#include "app/model_options.h"
#include "app/table_outputs.h"
#include "app/talk_line.h"
#include "base/progress.h"
#include "base/text.h"
#include "legacy/metric_group.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"--json", "", "print the report as JSON (assay.comparison/1)"},
    {"--jsonl", "", "print it as JSON lines: header, rows, tail"},
    {"-o,--out", "FILE",
     "also write a report; the suffix picks the kind ('assay list reports')",
     true},
    {"--map", "FILE", "CSV of names that belong together: golden,target"},
    {"--rename", "s/RE/TEXT/", "change the names of both sides before pairing",
     true},
    {"--only", "RE", "compare only tensors whose name matches"},
    {"--pairing", "NAME", "how to pair [chosen from the sources]"},
    {"--graph", "PATH",
     "graph of the target, or a folder of graphs [found beside the dump]"},
    {"--golden-graph", "PATH", "graph of the golden side"},
    {"--name-log", "FILE",
     "printed lines 'dump file name: X replace to Y' of a golden dump script"},
    {"--quant", "FILE", "rule file of a quantiser: what became of operators"},
    {"--noise", "SRC",
     "another trusted run: its distance from golden is the floor"},
    {"--noise-factor", "X",
     "how many times worse than that run is still good [10]"},
    {"--metrics", "LIST",
     "metrics to report, with commas; 'all' adds the extra passes, an old "
     "tool's name its numbers [one-pass metrics]"},
    {"--table", "TOOL",
     "the table of an old tool instead of the report, as msit-llm; also with "
     "-o FILE.csv"},
    {"--fail-on", "'METRIC<NUMBER'", "a row fails when this is true", true},
    {"--atol", "X",
     "absolute tolerance; a row fails if an element exceeds atol + rtol "
     "|golden| [no limit]"},
    {"--rtol", "X", "relative tolerance; the one not given is 0 [no limit]"},
    {"--min-coverage", "P",
     "percent of the tensors of either side that must be compared [0]"},
    {"--strict", "", "unsure, trivial, unpaired and skipped count as failure"},
    {"--sort", "METRIC", "order of the printed table [worst first]"},
    {"--top", "N", "rows of the printed table [20]"},
    {"--worst", "K", "worst elements kept for each bad row [5]"},
    {"--lang", "en|zh",
     "language of what people read: verdicts, reasons, findings [en]"},
    {"--dtype", "T", "type of raw .bin files"},
    {"--shape", "S", "shape of raw .bin files, as 1,16,16 [flat]"},
    {"--bf16-void", "", "NumPy arrays of type '|V2' hold bf16"},
    ASSAY_MODEL_OPTIONS,
    {"--keep-dumps", "DIR",
     "keep what models gave in DIR/golden and DIR/target [removed]"},
    {"--threads", "N", "threads to use; same results [all CPUs]"},
    {"--simd", "NAME",
     "scalar, sse4, avx2, avx512 or neon [the best here]; same results"},
    {"--max-memory", "B",
     "bound for working memory, as 512M [2 MiB per thread]"},
};

constexpr Example kExamples[] = {
    {"assay compare golden/ npu/", "the guilty tensor and its worst elements"},
    {"assay compare golden/ npu/ -o run.assay -o report.md",
     "keep the run, write a report"},
    {"assay compare golden/ npu/ -o report.html", "the page, as one file"},
    {"assay compare a.npz b.npz --json", "for scripts"},
    {"assay compare onnxruntime:m.onnx openvino:m.onnx --dim n=1",
     "two runtimes, operator by operator"},
    {"assay compare golden/ npu/ --noise gpu/",
     "judge by what another good run does"},
    {"assay compare golden/ npu/ --rename 's/^npu_//' --only 'conv'",
     "names that differ"},
};

Status ReadMetrics(const Args& args, CompareOptions& options,
                   std::vector<const MetricGroup*>& groups) {
  if (!args.Has("metrics")) return Done{};
  const std::string list = args.Text("metrics");
  for (const std::string_view name : Split(list, ',')) {
    if (name == "all") {
      for (const Metric& metric : AllMetrics())
        options.metrics.push_back(&metric);
      continue;
    }
    if (const MetricGroup* group = FindMetricGroup(Trim(name))) {
      groups.push_back(group);
      continue;
    }
    ASSIGN_OR_RETURN(const Metric* metric, MetricNamed(Trim(name)));
    options.metrics.push_back(metric);
  }
  for (const Metric* metric : options.metrics) {
    options.measure.extras.Need(metric->name);
  }
  return Done{};
}

Status ReadJudge(const Args& args, CompareOptions& options) {
  options.judge.tolerances = args.Has("atol") || args.Has("rtol");
  ASSIGN_OR_RETURN(options.judge.noise_factor,
                   args.Number("noise-factor", kNoiseFactor));
  for (const std::string& text : args.All("fail-on")) {
    ASSIGN_OR_RETURN(FailOn rule, FailOn::Parse(text));
    options.measure.extras.Need(rule.metric->name);
    options.judge.fail_on.push_back(std::move(rule));
  }
  ASSIGN_OR_RETURN(options.min_coverage, args.Number("min-coverage", 0));
  if (options.min_coverage > 100) {
    return Usage("--min-coverage {} is more than 100 percent",
                 args.Text("min-coverage"));
  }
  options.strict = args.Has("strict");
  return Done{};
}

// The old table asked for; null: none.
Result<const OldTable*> ReadTable(const Args& args) {
  if (!args.Has("table")) return nullptr;
  return OldTableNamed(args.Text("table"));
}

// What old tools would say needs another pass over the rows.
Status ReadOldTools(const Args& args, CompareOptions& options) {
  std::vector<const MetricGroup*> groups;
  RETURN_IF_ERROR(ReadMetrics(args, options, groups));
  ASSIGN_OR_RETURN(const OldTable* table, ReadTable(args));
  if (table != nullptr && table->group) groups.push_back(table->group);
  if (!groups.empty()) options.row_pass = FillGroups(std::move(groups));
  return Done{};
}

// The page shows bad rows closely: reports that hold it, and runs that can
// become it, have that read.
size_t DetailsFor(const Args& args) {
  constexpr size_t kDetails = 100;
  for (const std::string& path : args.All("out")) {
    const std::string lower = Lower(path);
    if (lower.ends_with(".html") || lower.ends_with(".assay")) return kDetails;
  }
  return 0;
}

Result<CompareOptions> ReadOptions(const Args& args) {
  CompareOptions options;
  options.golden = args.positionals[0];
  options.target = args.positionals[1];
  options.noise = args.Text("noise");
  options.graph = args.Text("graph");
  options.golden_graph = args.Text("golden-graph");
  options.quant = args.Text("quant");
  options.name_log = args.Text("name-log");
  ASSIGN_OR_RETURN(options.open, ReadOpenOptions(args));
  ASSIGN_OR_RETURN(options.models, ReadModelOptions(args));
  RETURN_IF_ERROR(CheckExecutorOptions(
      args, {options.golden, options.target, options.noise}));
  options.models.keep = args.Text("keep-dumps");
  ASSIGN_OR_RETURN(options.measure, ReadMeasureOptions(args));
  options.pair = {
      .strategy = args.Text("pairing"),
      .map_file = args.Text("map"),
      .renames = {args.All("rename").begin(), args.All("rename").end()},
      .only = args.Text("only")};
  RETURN_IF_ERROR(ReadOldTools(args, options));
  RETURN_IF_ERROR(ReadJudge(args, options));
  ASSIGN_OR_RETURN(const int worst, args.Count("worst", 5));
  options.worst = static_cast<size_t>(worst);
  options.details = DetailsFor(args);
  options.show_progress = CanShowProgress();
  return options;
}

Result<ReportOptions> ReadReport(const Args& args) {
  ReportOptions options = TerminalOptions();
  ASSIGN_OR_RETURN(const int top, args.Count("top", 20));
  options.top = static_cast<size_t>(top);
  options.sort = args.Text("sort");
  if (!options.sort.empty()) RETURN_IF_ERROR(MetricNamed(options.sort));
  ASSIGN_OR_RETURN(options.lang, ReadLanguage(args));
  return options;
}

Result<int> Run(const Args& args) {
  if (args.Has("json") && args.Has("jsonl")) {
    return Usage("--json and --jsonl exclude each other");
  }
  ASSIGN_OR_RETURN(CompareOptions options, ReadOptions(args));
  ASSIGN_OR_RETURN(const ReportOptions report, ReadReport(args));
  ASSIGN_OR_RETURN(const OldTable* table, ReadTable(args));
  std::vector<std::string> reports, tables;
  for (const std::string& path : args.All("out")) {
    (table && TableOutputs::Takes(path) ? tables : reports).push_back(path);
  }
  ASSIGN_OR_RETURN(Outputs outputs, Outputs::Open(reports));
  ASSIGN_OR_RETURN(TableOutputs table_outputs,
                   TableOutputs::Open(table, tables));
  const std::atomic<bool>& stop = WatchInterrupt();
  ASSIGN_OR_RETURN(const Comparison comparison,
                   CompareTimed(options, args.argv, TalkLine, stop));
  RETURN_IF_ERROR(outputs.Write(comparison, report));
  RETURN_IF_ERROR(table_outputs.Write({comparison, options}));
  if (table_outputs.prints()) return comparison.exit;
  const std::string_view kind = args.Has("json")    ? "json"
                                : args.Has("jsonl") ? "jsonl"
                                                    : "text";
  RETURN_IF_ERROR(PrintReport(kind, comparison, report));
  return comparison.exit;
}

}  // namespace

extern constinit const Command kCompare = {
    .name = "compare",
    .sentence = "Compare two sources tensor by tensor.",
    .usage = "assay compare [options] GOLDEN TARGET",
    .notes =
        "  GOLDEN is the reference. A source is a folder of arrays, one file, "
        "or EXECUTOR:MODEL,\n"
        "  which runs an ONNX model ('assay dump --help').\n"
        "  Exit code: 0 fine, 1 some row fails, 3 some row is unsure, 2 "
        "trouble.",
    .least = 2,
    .most = 2,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
