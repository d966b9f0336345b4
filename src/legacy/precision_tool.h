#pragma once

#include <atomic>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "legacy/old_arguments.h"
#include "legacy/work_folder.h"
#include "pipeline/measure.h"
#include "sources/source.h"

namespace assay {

// The commands of precision_tool's prompt. The shell of the program reads
// lines; what a line means and what it prints is said here.

// Whose words label the numbers: the tool as it was last, or its oldest
// instructions.
enum class PromptLabels : uint8_t { kTool, kSeed };

// What the prompt has open, and where its text goes.
struct Prompt {
  WorkFolder folder;
  PromptLabels labels = PromptLabels::kTool;
  OpenOptions open;
  MeasureOptions measure;
  bool show_progress = false;
  const std::atomic<bool>* stop = nullptr;
  std::function<void(std::string_view)> print;   // results
  std::function<void(const std::string&)> talk;  // lines beside them
  std::string run;  // the comparison that is open: a run file

  void Complain(const Error& error) const { talk(error.Text()); }
};

// What the names of a command are, for completion.
enum class PromptNames : uint8_t { kNone, kOperators, kArrays };

struct PromptCommand {
  std::string_view name, usage, sentence;
  std::span<const OldOption> options;
  PromptNames takes = PromptNames::kNone;
  size_t names = 0;  // how many, after -n
  // The status that a script sees: 0 fine, 1 something is bad.
  Result<int> (*run)(Prompt& prompt, const OldArguments& args);
};

std::span<const PromptCommand* const> AllPromptCommands();
const PromptCommand* FindPromptCommand(std::string_view name);

// `words` without the command's name. The "-n" before names may be left out.
Result<OldArguments> ParsePromptWords(const PromptCommand& command,
                                      std::vector<std::string> words);
std::string PromptHelp(const PromptCommand& command);

// The value of an option as a number; `otherwise` if it was not given.
Result<double> NumberOf(const OldArguments& args, std::string_view option,
                        double otherwise);
Result<size_t> CountOf(const OldArguments& args, std::string_view option,
                       size_t otherwise);

// Where vc puts its tables, in a folder for each time.
std::string TablesFolder(const Prompt& prompt);
// The tables of a folder and of those in it; of several that are called by
// their time, the last.
std::vector<std::string> TablesIn(const std::string& folder);

// Parts of `ac`, each a command's work too.
Status PrintWorstOperators(Prompt& prompt, const std::string& folder,
                           size_t most);
Status PrintFusions(Prompt& prompt);
Status PrintOverflows(Prompt& prompt, size_t most);
Status PrintGraphChecks(Prompt& prompt);
Result<int> CompareWholeNetwork(Prompt& prompt, size_t most);

}  // namespace assay
