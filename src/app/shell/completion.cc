#include "app/shell/completion.h"

#include <filesystem>

#include "app/command.h"
#include "app/shell/command_line.h"
#include "base/text.h"
#include "legacy/find_array.h"
#include "legacy/legacy_tool.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using Words = std::set<std::string, std::less<>>;

Words CommandWords() {
  Words words(std::begin(kShellWords), std::end(kShellWords));
  for (const auto* command : AllPromptCommands()) words.emplace(command->name);
  for (const Command* command : AllCommands()) words.emplace(command->name);
  for (const LegacyTool* tool : AllLegacyTools()) {
    words.emplace(Split(tool->words, ' ').front());
  }
  return words;
}

const Command* FindOwn(std::string_view name) {
  for (const Command* command : AllCommands()) {
    if (command->name == name) return command;
  }
  return nullptr;
}

Words OptionWords(const std::string& command) {
  Words words;
  if (const PromptCommand* prompt = FindPromptCommand(command)) {
    for (const OldOption& option : prompt->options) {
      words.emplace(option.names);
    }
  } else if (const Command* own = FindOwn(command)) {
    for (const OptionSpec& option : own->options) {
      for (const auto name : Split(option.names, ',')) words.emplace(name);
    }
  }
  return words;
}

// Files and folders that begin with what was typed.
Words FileWords(const std::string& word) {
  const size_t slash = word.rfind('/');
  const std::string folder =
      slash == std::string::npos ? "" : word.substr(0, slash + 1);
  const bool hidden = word.substr(folder.size()).starts_with('.');
  Words words;
  std::error_code failed;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, failed), end;
       !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with('.') && !hidden) continue;
    std::error_code ignored;
    words.insert(folder + name + (at->is_directory(ignored) ? "/" : ""));
  }
  return words;
}

}  // namespace

const Completer::GraphWords& Completer::FromGraphs() {
  if (graphs_) return *graphs_;
  graphs_.emplace();
  for (const WorkFolder::Run& run : folder_.runs) {
    for (const Graph& graph : OpenRunGraphs(run).graphs) {
      for (const Operator& op : graph.operators) {
        graphs_->names.emplace(graph.Text(op.name));
        graphs_->types.emplace(graph.Text(op.type));
        graphs_->kernels.emplace(graph.Text(op.kernel));
        for (const NameId pass : op.passes) {
          graphs_->passes.emplace(graph.Text(pass));
        }
      }
    }
  }
  return *graphs_;
}

Words Completer::ForPrompt(const PromptCommand& command,
                           const std::vector<std::string>& before,
                           const std::string& word) {
  if (command.name == "ls") {
    const GraphWords& words = FromGraphs();
    if (before.back() == "-n") return words.names;
    if (before.back() == "-t") return words.types;
    if (before.back() == "-f") return words.passes;
    if (before.back() == "-k") return words.kernels;
  }
  if (command.takes == PromptNames::kOperators) return FromGraphs().names;
  Words words = FileWords(word);
  if (command.takes == PromptNames::kArrays) {
    for (std::string& name : ArrayNames(folder_)) {
      words.insert(std::move(name));
    }
  }
  return words;
}

Words Completer::Candidates(const std::vector<std::string>& before,
                            const std::string& word) {
  if (before.empty() || before == std::vector<std::string>{"help"}) {
    return CommandWords();
  }
  if (word.starts_with('-')) return OptionWords(before[0]);
  const PromptCommand* prompt = FindPromptCommand(before[0]);
  return prompt != nullptr ? ForPrompt(*prompt, before, word) : FileWords(word);
}

Completion Completer::operator()(const std::string& line) {
  const OpenWord last = LastWord(line);
  const Words all = Candidates(last.before, last.text);
  Completion found{.begin = last.begin};
  for (auto at = all.lower_bound(last.text);
       at != all.end() && at->starts_with(last.text); ++at) {
    if (!at->empty()) found.words.push_back(*at);
  }
  return found;
}

}  // namespace assay
