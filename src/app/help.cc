#include <fmt/format.h>

#include <algorithm>

#include "app/command.h"
#include "base/text.h"

namespace assay {
namespace {

std::string Left(const OptionSpec& spec) {
  std::string text;
  for (const std::string_view name : Split(spec.names, ',')) {
    text += text.empty() ? std::string(name) : ", " + std::string(name);
  }
  if (!spec.value.empty()) text += " " + std::string(spec.value);
  return text;
}

}  // namespace

std::string HelpText(const Command& command) {
  std::string text =
      fmt::format("{}\nusage: {}\n", command.sentence, command.usage);
  if (!command.notes.empty()) text += fmt::format("{}\n", command.notes);
  size_t width = 0;
  for (const OptionSpec& spec : command.options) {
    width = std::max(width, Left(spec).size());
  }
  for (const OptionSpec& spec : command.options) {
    text += fmt::format("  {:<{}}  {}\n", Left(spec), width, spec.text);
  }
  if (command.examples.empty()) return text;
  text += "examples:\n";
  width = 0;
  for (const Example& e : command.examples)
    width = std::max(width, e.line.size());
  for (const Example& e : command.examples) {
    text += fmt::format("  {:<{}}  {}\n", e.line, width, e.text);
  }
  return text;
}

std::string GeneralHelp() {
  std::string text =
      "Assay finds the operator that breaks a model.\n"
      "usage: assay COMMAND [options] ...\n";
  for (const Command* command : AllCommands()) {
    text += fmt::format("  {:<10} {}\n", command->name, command->sentence);
  }
  text +=
      "'assay COMMAND --help' shows the options and examples of one; 'assay "
      "--version' the version.\n"
      "examples:\n"
      "  assay compare golden/ npu/                the guilty tensor and its "
      "worst elements\n"
      "  assay compare golden/ npu/ -o run.assay   keep the comparison\n"
      "  assay show run.assay conv1                one row of it, closely\n";
  return text;
}

}  // namespace assay
