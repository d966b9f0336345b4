#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "app/command.h"
#include "base/text.h"
#include "executors/executor.h"
#include "legacy/legacy_tool.h"

namespace assay {

extern const Command kCompare, kDump, kShow, kConvert, kGraph, kOverflow,
    kCapture, kWatch, kServe, kShell, kList;
constinit const Command* const kCommands[] = {
    &kCompare, &kDump,  &kShow,  &kConvert, &kGraph, &kOverflow,
    &kCapture, &kWatch, &kServe, &kShell,   &kList,
};

std::span<const Command* const> AllCommands() { return kCommands; }

namespace {

constexpr int kTrouble = 2;

const Command* FindCommand(std::string_view name) {
  for (const Command* command : kCommands) {
    if (command->name == name) return command;
  }
  return nullptr;
}

int Say(const Error& error) {
  fmt::print(stderr, "{}", error.Text());
  return kTrouble;
}

int UnknownCommand(const std::string& word) {
  std::vector<std::string_view> names;
  for (const Command* command : kCommands) names.push_back(command->name);
  return Say(Usage("unknown command '{}'", word)
                 .Hint(DidYouMean(word, names, "'assay --help' shows all")));
}

bool OnTerminal() {
  return isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
}

bool AsksForHelp(const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") return false;
    if (word == "--help" || word == "-h") return true;
  }
  return false;
}

}  // namespace

int RunProgram(std::vector<std::string> words, ExecutorPool* pool) {
  if (words.empty() && OnTerminal()) words = {"shell"};
  if (words.empty() || words[0] == "--help" || words[0] == "-h" ||
      words[0] == "help") {
    const Command* topic = words.size() > 1 ? FindCommand(words[1]) : nullptr;
    if (words.size() > 1 && topic == nullptr) return UnknownCommand(words[1]);
    fmt::print("{}", topic ? HelpText(*topic) : GeneralHelp());
    return 0;
  }
  if (words[0] == "--version") {
    fmt::print("assay {}\n", ASSAY_VERSION);
    return 0;
  }
  // An executor of this program, started by itself.
  if (words[0] == "__run" && words.size() >= 2) {
    const bool stay = words.size() == 3 && words[2] == "--stay";
    return ServeExecutor(words[1], stay, STDIN_FILENO, STDOUT_FILENO);
  }
  if (const LegacyTool* tool = TakeLegacyTool(words)) {
    return tool->run(words);
  }
  const Command* command = FindCommand(words[0]);
  if (command == nullptr) return UnknownCommand(words[0]);
  words.erase(words.begin());
  if (AsksForHelp(words)) {
    fmt::print("{}", HelpText(*command));
    return 0;
  }
  Result<Args> args = ParseArgs(*command, std::move(words));
  if (!args) return Say(args.error());
  args->pool = pool;
  const Result<int> code = command->run(*args);
  return code ? *code : Say(code.error());
}

}  // namespace assay
