#include "pipeline/dump.h"

#include <fmt/format.h>

#include <cstdio>

#include "app/command.h"
#include "app/common_options.h"
#include "app/interrupt.h"
#include "app/model_options.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "graphs/onnx_cut.h"
#include "pipeline/onnx_text.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"-o,--out", "DIR", "folder for the dump; needed, and must be empty"},
    {"--taps", "LIST",
     "all, NAME,..., A..B or A..B/STEP, by number or name, both ends included "
     "[all]"},
    {"--taps-regex", "RE", "only taps whose name matches"},
    {"--types", "LIST", "only outputs of these operators, as Conv,Relu"},
    ASSAY_MODEL_OPTIONS,
    {"--names", "KIND",
     "names of files: plain, topoidx, msit or ascend [plain]"},
    {"--to", "FORMAT", "npy, or npz or safetensors for all in one file [npy]"},
    {"--isolate-prefix", "",
     "a run of its own for each tap, on the model cut behind it"},
    {"--max-memory", "B", "bound for taps held at once, as 512M [1G]"},
    {"--no-check", "", "do not run the untouched model for comparison"},
    {"--show-ir", "",
     "print the program up to the taps: the executor's own, or the model's"},
    {"--force", "", "replace an earlier dump in the folder"},
    {"--threads", "N", "threads that look at the tensors [all CPUs]"},
};

constexpr Example kExamples[] = {
    {"assay dump onnxruntime:m.onnx -o golden/ --dim batch=1",
     "every tensor of a model"},
    {"assay dump onnxruntime:m.onnx -o d/ --input x=x.npy --taps 10..50/10",
     "five of them, for these values"},
    {"assay dump openvino:m.onnx -o d/ --executor-option "
     "openvino.precision=f16",
     "as another runtime has them"},
    {"assay dump ./mine.py:m.onnx -o d/ --inputs-from golden/",
     "one's own executor, the same inputs"},
};

Result<DumpOptions> ReadOptions(const Args& args) {
  DumpOptions options{.source = args.positionals[0], .out = args.Text("out")};
  if (options.out.empty()) {
    return Usage("-o DIR is needed").Hint("the folder that gets the tensors");
  }
  ASSIGN_OR_RETURN(const ModelOptions models, ReadModelOptions(args));
  ASSIGN_OR_RETURN(const OpenOptions open, ReadOpenOptions(args));
  options.inputs = models.inputs;
  options.time_limit = models.time_limit;
  options.max_memory = models.max_memory;
  options.threads = open.threads;
  options.show_progress = open.show_progress;
  ASSIGN_OR_RETURN(const ModelRun run, ParseModelRun(options.source));
  RETURN_IF_ERROR(CheckExecutorOptions(args, {options.source}));
  ASSIGN_OR_RETURN(options.executor_options,
                   OptionsOf(models.executor_options, run.executor));
  if (args.Has("taps")) options.taps.taps = args.Text("taps");
  options.taps.regex = args.Text("taps-regex");
  options.taps.types = args.Text("types");
  if (args.Has("names")) {
    ASSIGN_OR_RETURN(options.names, ParseTapNames(args.Text("names")));
  }
  if (args.Has("to")) options.to = args.Text("to");
  if (options.to != "npy" && options.to != "npz" &&
      options.to != "safetensors") {
    return Usage("--to '{}' is not npy, npz or safetensors", options.to);
  }
  options.isolate = args.Has("isolate-prefix");
  options.pool = args.pool;
  options.check_outputs = !args.Has("no-check");
  options.want_ir = args.Has("show-ir");
  if (args.Has("force")) options.existing = DumpOptions::Existing::kReplace;
  return options;
}

// The executor's own text, or that of the model up to the taps.
Status PrintIr(const DumpOptions& options, const DumpReport& report) {
  if (!report.ir.empty()) {
    fmt::print("{}\n", PrintableLines(report.ir));
    return Done{};
  }
  ASSIGN_OR_RETURN(const ModelRun run, ParseModelRun(options.source));
  ASSIGN_OR_RETURN(const onnx::OnnxFile file, onnx::OnnxFile::Open(run.model));
  onnx::Cut cut;
  for (const TapRecord& tap : report.taps) {
    cut.to.push_back(file.taps()[tap.tap].name);
  }
  ASSIGN_OR_RETURN(const std::string text, ModelText(file, cut));
  fmt::print("{}", text);
  return Done{};
}

// Taps that failed for one reason stand together, with the first of them.
void PrintFailures(std::FILE* to, const DumpReport& report) {
  std::vector<std::pair<std::string, std::vector<size_t>>> reasons;
  for (size_t i = 0; i < report.taps.size(); ++i) {
    if (!report.taps[i].error) continue;
    const std::string& what = report.taps[i].error->what;
    if (reasons.empty() || reasons.back().first != what) {
      reasons.push_back({what, {}});
    }
    reasons.back().second.push_back(i);
  }
  for (const auto& [what, taps] : reasons) {
    fmt::print(
        to, "  error  {}{}: {}\n", report.names[taps[0]],
        taps.size() == 1 ? "" : fmt::format(" and {} more", taps.size() - 1),
        Printable(what));
  }
}

void PrintSummary(std::FILE* to, const DumpOptions& options,
                  const DumpReport& report) {
  const auto version = report.run.facts.find("version");
  fmt::print(
      to, "{}{}: {} of {} in {}\n", report.run.executor,
      version == report.run.facts.end() ? "" : " " + Printable(version->second),
      report.taps.size() - report.failed, Counted(report.taps.size(), "tap"),
      options.out);
  for (const std::string& note : report.run.notes) {
    fmt::print(to, "{}\n", Printable(note));
  }
  PrintFailures(to, report);
  const std::string_view errors = Trim(report.run.errors);
  if (report.failed > 0 && !errors.empty()) {
    fmt::print(to, "the executor's standard error ends with:\n");
    for (const std::string_view line : Split(errors, '\n')) {
      fmt::print(to, "  {}\n", Printable(line));
    }
  }
  if (report.failed == report.taps.size()) return;
  const Unchanged& outputs = report.run.outputs;
  if (outputs.equal) {
    fmt::print(to, "outputs unchanged by looking: {}{}{}\n",
               *outputs.equal ? "yes" : "no", outputs.why.empty() ? "" : ", ",
               outputs.why);
  } else {
    fmt::print(to, "outputs unchanged by looking: not known, {}\n",
               outputs.why);
  }
}

Result<int> Run(const Args& args) {
  ASSIGN_OR_RETURN(const DumpOptions options, ReadOptions(args));
  const std::atomic<bool>& stop = WatchInterrupt();
  ASSIGN_OR_RETURN(const DumpReport report, DumpModel(options, stop));
  if (options.want_ir) RETURN_IF_ERROR(PrintIr(options, report));
  if (!options.want_ir || report.failed > 0) {
    PrintSummary(options.want_ir ? stderr : stdout, options, report);
  }
  if (report.interrupted) return 130;
  return report.failed > 0 ? 2 : 0;
}

}  // namespace

extern constinit const Command kDump = {
    .name = "dump",
    .sentence = "Run a model and keep its tensors.",
    .usage = "assay dump [options] EXECUTOR:MODEL -o DIR",
    .notes =
        "  MODEL is an ONNX file; 'assay list executors' shows who can run it. "
        "A program or\n"
        "  a Python file can be the executor too (docs: executor-protocol).\n"
        "  Exit code: 0 all taps, 2 some tap failed or nothing was run.",
    .least = 1,
    .most = 1,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
