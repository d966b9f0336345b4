#include "app/shell/shell.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/command.h"
#include "app/interrupt.h"
#include "app/shell/completion.h"
#include "base/attached_child.h"
#include "base/text.h"
#include "legacy/legacy_tool.h"
#include "reports/run_file.h"

namespace assay {
namespace {

constexpr int kTrouble = 2, kInterrupted = 130;
constexpr std::string_view kPromptText = "PrecisionTool > ";

int Say(const Error& error) {
  fmt::print(stderr, "{}", error.Text());
  return error.code == ErrorCode::kInterrupted ? kInterrupted : kTrouble;
}

bool IsOwn(const std::string& word) {
  for (const Command* command : AllCommands()) {
    if (command->name == word) return true;
  }
  for (const LegacyTool* tool : AllLegacyTools()) {
    if (Split(tool->words, ' ').front() == word) return true;
  }
  return word == "--version";
}

// The system's shell knows pipes, variables and the programs of this machine.
int RunSystem(const std::string& line) {
  const Result<int> status = RunAttached({"sh", "-c", line});
  return status ? *status : Say(status.error());
}

// What follows the word `run`, as typed; one quoted word without its quotes.
std::string AfterRun(const TypedCommand& command) {
  if (command.words.size() == 2) return command.words[1];
  return std::string(Trim(command.text.substr(3)));
}

bool NamesPath(const std::vector<std::string>& words) {
  for (size_t i = 1; i < words.size(); ++i) {
    std::error_code ignored;
    if (std::filesystem::exists(words[i], ignored)) return true;
  }
  return false;
}

std::string Summary(const WorkFolder& folder) {
  std::string text =
      fmt::format("assay {}, in {}:", ASSAY_VERSION, folder.root);
  for (const WorkFolder::Run& run : folder.runs) text += " " + run.id;
  if (!folder.golden.empty()) text += ", golden in " + folder.golden;
  if (!folder.overflow.empty()) text += ", overflow in " + folder.overflow;
  return text + "\n'help' lists the commands, Tab completes, Ctrl-D leaves\n";
}

}  // namespace

Shell::Shell(Prompt prompt, Roots roots)
    : prompt_(std::move(prompt)), roots_(std::move(roots)) {
  prompt_.stop = &WatchNextLine();
  prompt_.print = [](std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);  // the reader may be gone
  };
  prompt_.talk = [](const std::string& line) {
    fmt::print(stderr, "{}{}", line, line.ends_with('\n') ? "" : "\n");
  };
}

bool Shell::Run(std::string_view text) {
  const auto commands = SplitCommands(text);
  if (!commands) {
    status_ = Say(commands.error());
    return true;
  }
  for (const TypedCommand& command : *commands) {
    const std::string& word = command.words[0];
    if (word == "exit" || word == "quit") return false;
    if (auto folder = FindWorkFolder(roots_.asked, roots_.configured)) {
      prompt_.folder = *std::move(folder);
    }
    status_ = RunCommand(command);
    std::fflush(stdout);
    if (prompt_.stop->load()) status_ = kInterrupted;
    if (status_ == kInterrupted) return false;
  }
  return true;
}

int Shell::RunCommand(const TypedCommand& command) {
  const std::string& word = command.words[0];
  if (word == "help") return Help(command.words);
  if (word == "open") return OpenRun(command.words);
  if (word == "run") return RunSystem(AfterRun(command));
  if (const PromptCommand* known = FindPromptCommand(word)) {
    return RunPrompt(*known, command);
  }
  if (word == "shell") return Say(Usage("this is the shell already"));
  if (IsOwn(word)) return RunOwn(command.words);
  return RunSystem(command.text);
}

int Shell::RunPrompt(const PromptCommand& command, const TypedCommand& typed) {
  const auto args =
      ParsePromptWords(command, {typed.words.begin() + 1, typed.words.end()});
  if (!args) return Say(args.error());
  if (args->wants_help()) {
    fmt::print("{}", PromptHelp(command));
    return 0;
  }
  const Result<int> status = command.run(prompt_, *args);
  return status ? *status : Say(status.error());
}

// `show` and `show NAME` are about the open run unless a path is named.
int Shell::RunOwn(std::vector<std::string> words) {
  const bool about_run = words[0] == "show" || words[0] == "locate";
  if (about_run && !NamesPath(words)) {
    const bool named = words.size() > 1 && !words[1].starts_with('-');
    if (prompt_.run.empty() && named) {
      return Say(NotFound("'{}' is no file, and no run is open", words[1])
                     .Hint("'vc' makes a run, 'open RUN' opens one"));
    }
    if (!prompt_.run.empty()) words.insert(words.begin() + 1, prompt_.run);
  }
  for (size_t i = 1; i < words.size(); ++i) {
    const bool out = words[i - 1] == "-o" || words[i - 1] == "--out";
    if (words[0] == "compare" && out && words[i].ends_with(".assay")) {
      prompt_.run = words[i];
    }
  }
  return RunProgram(std::move(words), &pool_);
}

int Shell::OpenRun(const std::vector<std::string>& words) {
  if (words.size() != 2 || !IsRunFile(words[1])) {
    return Say(
        Usage("'open' takes a run file")
            .Hint("'vc' writes one, and so does 'compare … -o run.assay'"));
  }
  prompt_.run = words[1];
  return 0;
}

int Shell::Help(const std::vector<std::string>& words) {
  if (words.size() > 1) {
    if (const PromptCommand* known = FindPromptCommand(words[1])) {
      fmt::print("{}", PromptHelp(*known));
      return 0;
    }
    return RunProgram(words);
  }
  const auto line = [](std::string_view name, std::string_view sentence) {
    fmt::print("  {:<9} {}\n", name, sentence);
  };
  fmt::print("Commands of precision_tool:\n");
  for (const PromptCommand* command : AllPromptCommands()) {
    line(command->name, command->sentence);
  }
  line("run", "Runs a line by the system's shell; so does an unknown word.");
  fmt::print("Our own, as on the command line:\n");
  for (const Command* command : AllCommands()) {
    line(command->name, command->sentence);
  }
  line("open", "Opens a run file; 'show NAME' is about it from then on.");
  line("exit", "Leaves; so do quit and Ctrl-D.");
  fmt::print("'help COMMAND' shows its options. ';' separates commands.\n");
  return 0;
}

void Shell::Talk() {
  fmt::print(stderr, "{}", Summary(prompt_.folder));
  Completer completer(prompt_.folder);
  const auto editor = OpenLineEditor(
      {.prompt = std::string(kPromptText),
       .history = HistoryFile(),
       .complete = [&](const std::string& line) { return completer(line); },
       .escape = Escaped,
       .interrupted =
           [&] {
             const bool was = prompt_.stop->load();
             WatchNextLine();
             return was;
           }});
  if (!editor) {
    status_ = Say(editor.error());
    return;
  }
  std::string line, last;
  while (true) {
    WatchNextLine();  // what ended the last command ends no line
    const LineEditor::Outcome outcome = (*editor)->Read(line);
    if (outcome == LineEditor::Outcome::kEnd) break;
    if (outcome == LineEditor::Outcome::kCancelled) continue;
    if (Trim(line).empty()) line = last;  // as precision_tool does
    last = line;
    const bool more = Run(line);
    completer.Forget();
    const bool interrupted = status_ == kInterrupted;
    if (!more && !interrupted) return;
  }
  fmt::print("\n");
}

void Shell::ReadScript() {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (!Run(line)) return;
  }
}

}  // namespace assay
