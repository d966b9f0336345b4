#include "pipeline/capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "app/command.h"
#include "app/common_options.h"
#include "base/progress.h"
#include "base/text.h"
#include "pipeline/acl_json.h"
#include "pipeline/capture_tf.h"
#include "pipeline/capture_words.h"
#include "pipeline/tfdbg_prompt.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"--data", "DIR", "the working folder [precision_data, or as configured]"},
    {"--config", "FILE",
     "TOML, or an old config.py [assay.toml, precision_tool/config.py]"},
    {"--from", "DIR", "the job writes here, too: look for dumps in it", true},
    {"--steps", "LIST", "which runs, as 0|5|10 [0]"},
    {"--autofuse", "", "npu, overflow: with the three autofuse switches"},
    {"--fusion", "off|FILE",
     "npu: a second run with other fusions, kept apart"},
    {"--print-env", "",
     "print the variables and make their folders, run nothing"},
    {"--interactive", "", "tf: type at the tfdbg prompt instead"},
    {"--timeout", "S", "tf: seconds the prompt may be silent [360]"},
    {"--commands", "FILE",
     "tf: write the 'pt' commands of all tensors; without CMD, of what 'lt' "
     "printed (stdin)"},
    {"--model", "NAME", "acl-json: name of the model in the .om file", true},
    {"--dump-path", "DIR", "acl-json: where the device's host writes to"},
    {"--layer", "NAME", "acl-json: only this one [all]", true},
    {"--mode", "M", "acl-json: all, input or output [all]"},
    {"--op-switch", "", "acl-json: dump single-operator calls, too"},
    {"-o,--out", "FILE", "acl-json: write to this file [stdout]"},
};

constexpr Example kExamples[] = {
    {"assay capture npu -- sh run_train.sh", "dumps and graphs of a device"},
    {"assay capture npu --fusion off -- sh run_train.sh",
     "once more without fusions"},
    {"assay capture overflow -- python3 train.py", "only what overflows"},
    {"assay capture tf -- python3 cpu_train.py", "the golden of TensorFlow"},
    {"assay capture acl-json --model net --dump-path /d -o acl.json",
     "for aclInit()"},
};

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// The folders and files that the variables name are made: the device's software
// does not make them.
Result<int> PrintEnvironment(const CaptureOptions& options) {
  RETURN_IF_ERROR(PrepareCapture(options));
  for (const Variable& variable : CaptureEnvironment(options)) {
    fmt::print("export {}={}\n", variable.name, Quoted(variable.value));
  }
  return 0;
}

Status WriteText(const std::string& path, std::string_view text) {
  if (path.empty()) {
    fmt::print("{}", text);
    return Done{};
  }
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(path));
  RETURN_IF_ERROR(out.Append(text));
  return out.Commit();
}

Result<int> WriteAclJson(const Args& args) {
  const auto models = args.All("model"), layers = args.All("layer");
  AclDump dump{.models = {models.begin(), models.end()},
               .dump_path = args.Text("dump-path"),
               .layers = {layers.begin(), layers.end()},
               .operators = args.Has("op-switch")};
  if (args.Has("mode")) dump.mode = args.Text("mode");
  ASSIGN_OR_RETURN(const std::string text, AclJson(dump));
  RETURN_IF_ERROR(WriteText(args.Text("out"), text));
  return 0;
}

Result<CaptureOptions> ReadOptions(const Args& args) {
  const std::string& kind = args.positionals[0];
  CaptureOptions options;
  if (kind == "overflow") options.kind = CaptureKind::kOverflow;
  if (kind == "tf") options.kind = CaptureKind::kTf;
  options.command = {args.positionals.begin() + 1, args.positionals.end()};
  options.root = args.Text("data");
  const auto folders = args.All("from");
  options.look_in = {folders.begin(), folders.end()};
  options.autofuse = args.Has("autofuse");
  options.fusion = args.Text("fusion");
  options.steps = args.Text("steps");
  ASSIGN_OR_RETURN(options.config, FindConfig(args.Text("config")));
  for (const std::string& note : options.config.notes()) {
    fmt::print(stderr, "note: {}: {}\n", options.config.file(), note);
  }
  return options;
}

Result<CaptureReport> RunJob(const Args& args, const CaptureOptions& options) {
  if (!args.Has("interactive")) return Capture(options);
  PromptOptions prompt{
      .show_progress = CanShowProgress(),
      .job_printed = [](std::string_view text) { fmt::print("{}", text); }};
  ASSIGN_OR_RETURN(prompt.seconds, args.Number("timeout", prompt.seconds));
  return CaptureAtPrompt(options, prompt);
}

// `lt` printed these, or the job had them.
Result<int> WriteCommands(const Args& args, const CaptureOptions& options,
                          const std::vector<std::string>& tensors) {
  if (tensors.empty()) {
    return Usage("no tensor to write commands for")
        .Hint("give the text of 'lt' on stdin, or the job: -- CMD");
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  const auto time =
      std::chrono::duration_cast<std::chrono::microseconds>(now).count();
  RETURN_IF_ERROR(PrepareCapture(options));  // tfdbg makes no folder
  ASSIGN_OR_RETURN(const std::string commands,
                   PtCommands(tensors, PlacesOf(options).golden, time));
  RETURN_IF_ERROR(WriteText(args.Text("commands"), commands));
  fmt::print(stderr, "{} in {}\n", Counted(tensors.size(), "command"),
             args.Text("commands"));
  return 0;
}

Result<int> Run(const Args& args) {
  const std::string& kind = args.positionals[0];
  if (kind == "acl-json") return WriteAclJson(args);
  constexpr std::string_view kKinds[] = {"npu", "overflow", "tf", "acl-json"};
  if (std::ranges::find(kKinds, kind) == std::end(kKinds)) {
    return Usage("unknown kind '{}'", kind)
        .Hint(DidYouMean(kind, kKinds, "npu, overflow, tf or acl-json"));
  }
  ASSIGN_OR_RETURN(const CaptureOptions options, ReadOptions(args));
  if (args.Has("print-env")) return PrintEnvironment(options);
  if (options.command.empty() && args.Has("commands")) {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    return WriteCommands(args, options, TensorsOfLt(text));
  }
  if (options.command.empty()) {
    return Usage("which command is to be run?")
        .Hint(fmt::format("assay capture {} -- COMMAND ...", kind));
  }
  ASSIGN_OR_RETURN(const CaptureReport report, RunJob(args, options));
  fmt::print(stderr, "{}", CaptureText(report, options));
  if (args.Has("commands")) {
    RETURN_IF_ERROR(WriteCommands(args, options, report.tensors));
  }
  return report.exit;
}

}  // namespace

extern constinit const Command kCapture = {
    .name = "capture",
    .sentence = "Run a training or inference job so that it dumps its tensors.",
    .usage = "assay capture npu|overflow|tf|acl-json [options] [-- CMD]",
    .notes =
        "  npu       dumps and graphs of an Ascend device\n"
        "  overflow  only the operators that overflow\n"
        "  tf        every tensor of a TensorFlow session that tfdbg wraps; "
        "the script stays as it is\n"
        "  acl-json  writes the dump settings of an offline inference\n"
        "  CMD gets the settings by its environment. What it wrote is put into "
        "the working folder,\n"
        "  and its exit code is the one of this command. Everything behind -- "
        "is CMD's own.",
    .least = 1,
    .most = 1 << 20,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
