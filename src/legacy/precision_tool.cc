#include "legacy/precision_tool.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "base/text.h"

namespace assay {

extern const PromptCommand kPromptAc, kPromptLs, kPromptNi, kPromptPt,
    kPromptCp, kPromptDc, kPromptVc, kPromptVcs;
constinit const PromptCommand* const kPromptCommands[] = {
    &kPromptAc, &kPromptLs, &kPromptNi, &kPromptPt,
    &kPromptCp, &kPromptDc, &kPromptVc, &kPromptVcs};

std::span<const PromptCommand* const> AllPromptCommands() {
  return kPromptCommands;
}

const PromptCommand* FindPromptCommand(std::string_view name) {
  for (const PromptCommand* command : kPromptCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

Result<OldArguments> ParsePromptWords(const PromptCommand& command,
                                      std::vector<std::string> words) {
  if (command.names > 0 && !words.empty() && !words[0].starts_with('-')) {
    words.insert(words.begin(), "-n");
  }
  std::string usage = fmt::format("usage: {}", command.usage);
  if (command.name == "ls" || command.name == "cp") {
    usage += fmt::format("; 'run {} …' is the system's", command.name);
  }
  auto args = ParseOldArguments(command.options, words);
  if (!args) return std::move(args).error().Hint(usage);
  const size_t given = args->Words("-n").size();
  if (command.names == 0 || given == command.names || args->wants_help()) {
    return args;
  }
  return Usage("'{}' takes {}, {} given", command.name,
               Counted(command.names, "name"), given)
      .Hint(usage);
}

Result<double> NumberOf(const OldArguments& args, std::string_view option,
                        double otherwise) {
  if (!args.Has(option)) return otherwise;
  const std::string text = args.Text(option);
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && at == end && std::isfinite(value)) return value;
  return Usage("{} '{}' is not a number", option, text);
}

Result<size_t> CountOf(const OldArguments& args, std::string_view option,
                       size_t otherwise) {
  constexpr double kMost = 1e9;
  ASSIGN_OR_RETURN(const double value,
                   NumberOf(args, option, static_cast<double>(otherwise)));
  if (value >= 0 && value <= kMost && value == std::floor(value)) {
    return static_cast<size_t>(value);
  }
  return Usage("{} '{}' is not a count", option, args.Text(option));
}

std::string PromptHelp(const PromptCommand& command) {
  std::string text =
      fmt::format("{}\nusage: {}\n", command.sentence, command.usage);
  for (const OldOption& option : command.options) {
    text += fmt::format("  {:<6} {}\n", option.names, option.help);
  }
  return text;
}

}  // namespace assay
