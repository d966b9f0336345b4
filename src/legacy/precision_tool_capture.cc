// precision_tool's npu_dump, npu_overflow and tf_dump: one argument, the
// command as a line for the shell.
#include <fmt/format.h>

#include <filesystem>

#include "base/attached_child.h"
#include "base/program_path.h"
#include "legacy/legacy_tool.h"
#include "pipeline/capture.h"
#include "pipeline/capture_collect.h"
#include "pipeline/capture_tf.h"
#include "pipeline/capture_words.h"

namespace assay {
namespace {

constexpr int kTrouble = 2;

int Say(const Error& error) {
  fmt::print(stderr, "{}", error.Text());
  return kTrouble;
}

Result<CaptureOptions> ReadOptions(CaptureKind kind,
                                   const std::vector<std::string>& words) {
  CaptureOptions options{.kind = kind, .command = words};
  ASSIGN_OR_RETURN(options.config, FindConfig(""));
  return options;
}

Result<int> RunJob(const CaptureOptions& options) {
  if (options.command.empty()) {
    return Usage("which command is to be run?")
        .Hint("one argument: assay npu_dump 'sh run_train.sh'");
  }
  ASSIGN_OR_RETURN(const CaptureReport report, Capture(options));
  fmt::print(stderr, "{}", CaptureText(report, options));
  const bool records =
      options.kind == CaptureKind::kOverflow && report.came.front().files > 0;
  if (records && report.exit == 0) {
    RETURN_IF_ERROR(
        RunAttached({ProgramPath(), "overflow", PlacesOf(options).overflow}));
  }
  return report.exit;
}

// Without a command: what is in tf_debug already becomes arrays.
Result<int> ConvertOnly(const CaptureOptions& options) {
  RETURN_IF_ERROR(PrepareCapture(options));
  const CapturePlaces places = PlacesOf(options);
  CaptureReport report;
  RETURN_IF_ERROR(WriteTfdbgArrays(
      places, RunsOf(NewSince({}, FilesBelow(places.tfdbg))), report));
  if (report.nothing()) {
    return NotFound("no dump of TensorFlow's debugger").At(places.tfdbg);
  }
  fmt::print(stderr, "{} arrays in {}\n", report.came[0].files, places.golden);
  return 0;
}

int Run(CaptureKind kind, const std::vector<std::string>& words) {
  const auto options = ReadOptions(kind, words);
  if (!options) return Say(options.error());
  const bool convert = kind == CaptureKind::kTf && options->command.empty();
  const auto code = convert ? ConvertOnly(*options) : RunJob(*options);
  return code ? *code : Say(code.error());
}

template <CaptureKind kKind>
int RunKind(const std::vector<std::string>& words) {
  return Run(kKind, words);
}

}  // namespace

extern constinit const LegacyTool kNpuDump = {
    .words = "npu_dump",
    .sentence = "precision_tool: run a job, collect its dumps and graphs",
    .run = RunKind<CaptureKind::kNpu>,
};
extern constinit const LegacyTool kNpuOverflow = {
    .words = "npu_overflow",
    .sentence = "precision_tool: run a job, collect and explain its overflows",
    .run = RunKind<CaptureKind::kOverflow>,
};
extern constinit const LegacyTool kTfDump = {
    .words = "tf_dump",
    .sentence = "precision_tool: run a TensorFlow job, collect its tensors",
    .run = RunKind<CaptureKind::kTf>,
};

}  // namespace assay
