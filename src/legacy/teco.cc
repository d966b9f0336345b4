// dump_full, dump_once and dump_range of dump_tools.py: a folder ort_dump or
// sdaa_dump in the working directory, and with -cd a comparison beside it.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/text.h"
#include "base/utf8.h"
#include "graphs/onnx_cut.h"
#include "graphs/onnx_file.h"
#include "legacy/csv_table.h"
#include "legacy/legacy_tool.h"
#include "legacy/python_text.h"
#include "legacy/teco_arguments.h"
#include "legacy/teco_log.h"
#include "pipeline/dump.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr int kRaised = 1, kTrouble = 2;
constexpr std::string_view kDefaultPasses = "ocr_passes.py";

// A frame type may be the path of an executor.
std::string RootOf(const TecoArguments& a) {
  return fs::path(a.frame_type).stem().string() + "_dump";
}

std::string SourceOf(const TecoArguments& a) {
  return fmt::format(
      "{}:{}", a.frame_type == "ort" ? "onnxruntime" : a.frame_type, a.model);
}

// The topological index of an output.
Result<size_t> IndexOf(const onnx::OnnxFile& file, const std::string& name) {
  ASSIGN_OR_RETURN(const NameId id, onnx::FindTensor(file, name));
  const auto& taps = file.taps();
  const auto at = std::ranges::find(taps, id, &onnx::Tap::name);
  if (at != taps.end()) return static_cast<size_t>(at - taps.begin());
  return NotFound("'{}' is no output of an operator", name).At(file.path());
}

Result<size_t> EndOf(const onnx::OnnxFile& file, const TecoArguments::End& end,
                     size_t otherwise) {
  const size_t count = file.taps().size();
  if (end.index) {
    const auto index = static_cast<size_t>(*end.index);
    if (*end.index >= 0 && index < count) return index;
    return Usage("there is no output {}: the model has {}", *end.index,
                 Counted(count, "output"));
  }
  return end.name.empty() ? otherwise : IndexOf(file, end.name);
}

// "12..54/10", by numbers: names may look like anything.
Result<std::string> TapsOf(const TecoArguments& a) {
  if (a.step < 1) return Usage("-s takes a number above 0, not {}", a.step);
  ASSIGN_OR_RETURN(const onnx::OnnxFile file, onnx::OnnxFile::Open(a.model));
  if (file.taps().empty()) {
    return NotFound("the model has no operator").At(a.model);
  }
  if (a.command == "dump_once") {
    ASSIGN_OR_RETURN(const size_t index, IndexOf(file, a.output_name));
    return fmt::format("{}", index);
  }
  const size_t last = file.taps().size() - 1;
  ASSIGN_OR_RETURN(const size_t begin, EndOf(file, a.begin, 0));
  ASSIGN_OR_RETURN(const size_t end, EndOf(file, a.end, last));
  if (begin >= end && a.command == "dump_range") {
    return Usage("the range must begin before its end: {} and {}", begin, end);
  }
  return fmt::format("{}..{}/{}", begin, end, a.step);
}

Texts ExecutorOptionsOf(const TecoArguments& a) {
  if (a.frame_type != "sdaa") return {};
  Texts options = {{"dtype", a.model_type}};
  std::error_code ignored;
  if (!a.passes.empty()) {
    options["passes"] = a.passes;
  } else if (fs::exists(kDefaultPasses, ignored)) {
    options["passes"] = kDefaultPasses;
  }
  return options;
}

Result<DumpOptions> DumpOptionsOf(const TecoArguments& a) {
  const bool once = a.command == "dump_once";
  DumpOptions options{
      .source = SourceOf(a),
      .out = RootOf(a),
      .names = once ? TapNames::kPlain : TapNames::kTopoidx,
      // A backend that fuses shows a tensor as the model means it only where
      // the model ends; and the printed program has to end there.
      .isolate = once || a.frame_type == "sdaa",
      .executor_options = ExecutorOptionsOf(a),
      .want_ir = once && a.frame_type != "ort",
      .existing = DumpOptions::Existing::kAdd,
  };
  options.check_outputs = !options.isolate;
  ASSIGN_OR_RETURN(options.taps.taps, TapsOf(a));
  for (const auto& [name, file] : a.inputs) {
    options.inputs.inputs.push_back(fmt::format("{}={}", name, file));
  }
  return options;
}

void PrintTaps(const TecoArguments& a, const DumpReport& report) {
  if (!report.ir.empty()) {
    fmt::print("self.ir_module:  {}\n", PrintableLines(report.ir));
  }
  for (size_t i = 0; i < report.taps.size(); ++i) {
    const TapRecord& tap = report.taps[i];
    if (tap.error) {
      fmt::print("dump_once error [{}]\n", Printable(tap.error->what));
      continue;
    }
    if (a.command != "dump_once") fmt::print("topology index {}, ", tap.tap);
    fmt::print("output {}, shape {}, dtype {}\n", Printable(report.names[i]),
               TupleText(tap.shape), NumpyType(tap.dtype));
  }
}

Status CompareFolders(const TecoArguments& a) {
  ASSIGN_OR_RETURN(const TecoResult result,
                   CompareTeco({.device = RootOf(a) + "/outputs",
                                .compare = a.compare_dir,
                                .golden = a.golden_dir,
                                .tag = a.tag,
                                .th1 = a.th1,
                                .th2 = a.th2}));
  RETURN_IF_ERROR(WriteWhole("compare_result.log", TecoLog(result)));
  ASSIGN_OR_RETURN(OutputFile book, OutputFile::Create("compare_results.xlsx"));
  RETURN_IF_ERROR(WriteXlsx(book, TecoSheets(result)));
  fmt::print(
      "After the dump information is complete, check the corresponding data "
      "!\n");
  return Done{};
}

// What is missing is given with this tool's own option.
Error InOldWords(Error error) {
  if (error.hint.find("--input") == std::string::npos) return error;
  return std::move(error).Hint("give its values with -i NAME:FILE.npy");
}

Result<DumpReport> Dump(const TecoArguments& a) {
  if (!a.compare_dir.empty()) {
    RETURN_IF_ERROR(CheckTecoFolder(a.compare_dir));
    RETURN_IF_ERROR(CheckTecoFolder(a.golden_dir));
  }
  ASSIGN_OR_RETURN(const DumpOptions options, DumpOptionsOf(a));
  // Ctrl-C ends the program and its child; the index in the folder is whole at
  // every moment.
  const std::atomic<bool> never = false;
  auto report = DumpModel(options, never);
  if (!report) return InOldWords(std::move(report).error());
  return report;
}

int Say(const Error& error, int code) {
  fmt::print(stderr, "{}", error.Text());
  return code;
}

// What dump_tools.py raises ends with 1, as any exception of Python; a backend
// that cannot run at all with 2.
int DumpAndCompare(const TecoArguments& a) {
  const Result<DumpReport> report = Dump(a);
  if (!report) return Say(report.error(), kRaised);
  if (report->failed == report->taps.size()) {
    return Say(*report->taps.front().error, kTrouble);
  }
  PrintTaps(a, *report);
  if (a.compare_dir.empty()) return 0;
  const Status compared = CompareFolders(a);
  return compared ? 0 : Say(compared.error(), kRaised);
}

int RunTeco(std::string_view command, const std::vector<std::string>& words) {
  const Result<TecoArguments> args = ParseTeco(command, words);
  if (!args) return Say(args.error(), kTrouble);
  if (args->wants_help) {
    fmt::print("{}", TecoHelp(command));
    return 0;
  }
  // No choice of -f; the tool knows two.
  const Result<ModelRun> run = ParseModelRun(SourceOf(*args));
  if (!run) return Say(run.error(), kTrouble);
  fmt::print("args:  {}\n", args->echo);
  return DumpAndCompare(*args);
}

template <const char* kCommand>
int Run(const std::vector<std::string>& words) {
  return RunTeco(kCommand, words);
}

constexpr char kFullName[] = "dump_full", kOnceName[] = "dump_once",
               kRangeName[] = "dump_range";

}  // namespace

extern constinit const LegacyTool kTecoFull = {
    .words = kFullName,
    .sentence = "dump_tools.py: every output of a model's operators",
    .run = Run<kFullName>,
};
extern constinit const LegacyTool kTecoOnce = {
    .words = kOnceName,
    .sentence = "dump_tools.py: one output, and the program up to it",
    .run = Run<kOnceName>,
};
extern constinit const LegacyTool kTecoRange = {
    .words = kRangeName,
    .sentence = "dump_tools.py: the outputs from one to another",
    .run = Run<kRangeName>,
};

}  // namespace assay
