#pragma once

#include <map>
#include <set>
#include <string>

#include "app/shell/line_editor.h"
#include "legacy/precision_tool.h"

namespace assay {

// Words of the shell itself.
inline constexpr std::string_view kShellWords[] = {"exit", "help", "open",
                                                   "quit", "run"};

// What the words of a line can be: commands, options, operators, arrays, files.
class Completer {
 public:
  explicit Completer(const WorkFolder& folder) : folder_(folder) {}

  Completion operator()(const std::string& line);
  // What the graphs said may have changed.
  void Forget() { graphs_.reset(); }

 private:
  using Words = std::set<std::string, std::less<>>;

  // What an operator of the graphs can be asked for by.
  struct GraphWords {
    Words names, types, passes, kernels;
  };
  const GraphWords& FromGraphs();
  Words Candidates(const std::vector<std::string>& before,
                   const std::string& word);
  Words ForPrompt(const PromptCommand& command,
                  const std::vector<std::string>& before,
                  const std::string& word);

  const WorkFolder& folder_;
  std::optional<GraphWords> graphs_;  // read once per line: Tab must be quick
};

}  // namespace assay
