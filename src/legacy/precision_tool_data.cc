// precision_tool's data: the prompt on another folder.
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

// The old tool changed one variable and then used its usual folders; here the
// prompt really works on DIR.
int RunData(std::vector<std::string> words) {
  if (words.empty()) {
    return Say(Usage("one folder is wanted").Hint("assay data DIR"));
  }
  words.insert(words.begin(), {ProgramPath(), "shell"});
  const Result<int> code = RunAttached(words);
  return code ? *code : Say(code.error());
}

}  // namespace

extern constinit const LegacyTool kData = {
    .words = "data",
    .sentence = "precision_tool: the prompt on another working folder",
    .run = RunData,
};

}  // namespace assay
