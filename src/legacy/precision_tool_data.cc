// precision_tool's data, compare and vector_compare: the prompt, on another
// folder or for one command.
#include <fmt/format.h>

#include "base/attached_child.h"
#include "base/program_path.h"
#include "legacy/legacy_tool.h"

namespace assay {
namespace {

int Say(const Error& error) {
  fmt::print(stderr, "{}", error.Text());
  return 2;
}

int RunShell(const std::vector<std::string>& words) {
  std::vector<std::string> line = {ProgramPath(), "shell"};
  line.insert(line.end(), words.begin(), words.end());
  const Result<int> code = RunAttached(line);
  return code ? *code : Say(code.error());
}

// The old tool changed one variable and then used its usual folders; here the
// prompt really works on DIR.
int RunData(const std::vector<std::string>& words) {
  if (words.empty()) {
    return Say(Usage("one folder is wanted").Hint("assay data DIR"));
  }
  return RunShell(words);
}

// The word as it is typed at the prompt.
std::string Quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

int RunOne(std::string command, const std::vector<std::string>& words) {
  for (const std::string& word : words) command += " " + Quoted(word);
  return RunShell({"-c", command});
}

int RunCompare(const std::vector<std::string>& words) {
  return RunOne("cp -n", words);
}
int RunVectorCompare(const std::vector<std::string>& words) {
  return RunOne("vc", words);
}

}  // namespace

extern constinit const LegacyTool kCompareArrays = {
    .words = "compare -n",  // our own compare has no -n
    .sentence = "precision_tool: two arrays, as cp of the prompt",
    .run = RunCompare,
};
extern constinit const LegacyTool kVectorCompare = {
    .words = "vector_compare",
    .sentence = "precision_tool: the whole network, as vc of the prompt",
    .run = RunVectorCompare,
};
extern constinit const LegacyTool kData = {
    .words = "data",
    .sentence = "precision_tool: the prompt on another working folder",
    .run = RunData,
};

}  // namespace assay
