#include "app/shell/shell.h"

#include <fmt/format.h>
#include <unistd.h>

#include "app/command.h"
#include "app/common_options.h"
#include "app/interrupt.h"
#include "base/progress.h"
#include "pipeline/config.h"

namespace assay {
namespace {

constexpr OptionSpec kOptions[] = {
    {"-c,--command", "'CMD; CMD'", "run these and leave", true},
    {"--labels", "tool|seed",
     "words of precision_tool 0.1.11, or of its first instructions [tool]"},
    {"--threads", "N", "threads to use [all CPUs]"},
};

constexpr Example kExamples[] = {
    {"assay shell", "the prompt; so is plain 'assay' on a terminal"},
    {"assay shell -c 'ac -c; ls -t Conv2D'", "check all, list convolutions"},
    {"assay shell precision_data < script", "commands from a file"},
};

Result<PromptLabels> ReadLabels(const Args& args) {
  const std::string labels = args.Text("labels");
  if (labels.empty() || labels == "tool") return PromptLabels::kTool;
  if (labels == "seed") return PromptLabels::kSeed;
  return Usage("--labels '{}' is neither tool nor seed", labels);
}

// A configuration that cannot be read keeps nobody from looking at data.
std::string ConfiguredRoot() {
  const auto config = FindConfig("");
  if (config) return config->Text("DATA_ROOT_DIR");
  fmt::print(stderr, "{}", config.error().Text());
  return "";
}

Result<int> Run(const Args& args) {
  Prompt prompt;
  Shell::Roots roots;
  if (!args.positionals.empty()) roots.asked = args.positionals[0];
  roots.configured = ConfiguredRoot();
  ASSIGN_OR_RETURN(prompt.folder,
                   FindWorkFolder(roots.asked, roots.configured));
  ASSIGN_OR_RETURN(prompt.labels, ReadLabels(args));
  ASSIGN_OR_RETURN(prompt.open, ReadOpenOptions(args));
  ASSIGN_OR_RETURN(prompt.measure, ReadMeasureOptions(args));
  prompt.show_progress = CanShowProgress();
  Shell shell(std::move(prompt), std::move(roots));
  if (args.Has("command")) {
    for (const std::string& text : args.All("command")) {
      if (!shell.Run(text)) break;
    }
  } else if (isatty(STDIN_FILENO) == 1) {
    shell.Talk();
  } else {
    shell.ReadScript();
  }
  return shell.status();
}

}  // namespace

extern constinit const Command kShell = {
    .name = "shell",
    .sentence = "The prompt: precision_tool's commands and our own.",
    .usage = "assay shell [options] [DIR]",
    .notes =
        "  DIR is the working folder of precision_tool, or any folder of dumps "
        "and graphs\n"
        "  [precision_data, precision_tool and precision, else this folder].\n"
        "  Ends with the status of the last command.",
    .least = 0,
    .most = 1,
    .options = kOptions,
    .examples = kExamples,
    .run = Run,
};

}  // namespace assay
