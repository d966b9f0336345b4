// precision_tool's train: one step of a checkpoint under a capture, on the host
// or the device. The step itself is Python: assay/tf_train.py.
#include <fmt/format.h>

#include "executors/python_words.h"
#include "legacy/legacy_tool.h"
#include "legacy/old_arguments.h"
#include "pipeline/capture.h"
#include "pipeline/capture_words.h"

namespace assay {
namespace {

constexpr int kTrouble = 2;

constexpr OldOption kOptions[] = {
    {"-d,--device", OldOption::kOne, "where it runs [all]", false,
     "all,cpu,npu"},
    {"-a,--action", OldOption::kOne, "what the device keeps [dump]", false,
     "dump,overflow,fusion_off,fusion_switch"},
};

int Say(const Error& error) {
  fmt::print(stderr, "{}", error.Text());
  return kTrouble;
}

Result<CaptureOptions> ReadOptions(const std::string& device,
                                   const std::string& action) {
  CaptureOptions options{.kind = CaptureKind::kTf};
  ASSIGN_OR_RETURN(options.config, FindConfig(""));
  if (device == "npu") {
    options.kind =
        action == "overflow" ? CaptureKind::kOverflow : CaptureKind::kNpu;
    if (action == "fusion_off") options.fusion = "off";
    if (action == "fusion_switch") {
      options.fusion = options.config.Text("FUSION_SWITCH_FILE");
      if (options.fusion.empty()) {
        return Usage("which fusions are to be switched?")
            .Hint("FUSION_SWITCH_FILE of the configuration names the file");
      }
    }
  }
  // By its file: PYTHONPATH belongs to the capture.
  options.command = {
      PythonProgram(), PythonPackageFolder() + "/assay/tf_train.py",
      "--checkpoints", PlacesOf(options).root + "/tf/checkpoints",
      "--device",      device};
  return options;
}

Result<int> RunOn(const std::string& device, const std::string& action) {
  ASSIGN_OR_RETURN(const CaptureOptions options, ReadOptions(device, action));
  ASSIGN_OR_RETURN(const CaptureReport report, Capture(options));
  if (report.exit == 0) fmt::print(stderr, "{}", CaptureText(report, options));
  return report.exit;
}

int Run(const std::vector<std::string>& words) {
  const auto args = ParseOldArguments(kOptions, words);
  if (!args) return Say(args.error());
  if (args->wants_help()) {
    fmt::print("{}", OldHelp("train",
                             "Run one step of a checkpoint and keep "
                             "its tensors.",
                             kOptions));
    return 0;
  }
  const std::string device = args->Text("-d", "all");
  int worst = 0;
  for (const std::string one : {"cpu", "npu"}) {
    if (device != "all" && device != one) continue;
    const auto code = RunOn(one, args->Text("-a", "dump"));
    worst = std::max(worst, code ? *code : Say(code.error()));
  }
  return worst;
}

}  // namespace

extern constinit const LegacyTool kTrain = {
    .words = "train",
    .sentence = "precision_tool: one step of a checkpoint, tensors kept",
    .run = Run,
};

}  // namespace assay
