// vcs: the bad operators of a table that vc wrote.
#include <fmt/format.h>

#include <filesystem>

#include "base/input_file.h"
#include "base/text.h"
#include "legacy/precision_tool.h"
#include "legacy/worst_operators.h"
#include "sources/digits.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr double kLimit = 0.98;
constexpr size_t kMost = 3;

constexpr OldOption kVcsOptions[] = {
    {"-f", OldOption::kOne,
     "table, or folder of tables [the newest that vc wrote]"},
    {"-c", OldOption::kOne,
     "bad is an output whose cosine is X or less [0.98]"},
    {"-l", OldOption::kOne, "operators shown [3]"},
};

void AddTables(const std::string& folder, std::vector<std::string>& tables) {
  for (const std::string& name : NamesIn(folder, EntryKind::kFile)) {
    if (name.ends_with(".csv")) {
      tables.push_back(fmt::format("{}/{}", folder, name));
    }
  }
}

// Those of a folder and of those in it.
std::vector<std::string> TablesOf(const std::string& folder) {
  std::vector<std::string> tables;
  AddTables(folder, tables);
  for (const std::string& name : NamesIn(folder, EntryKind::kFolder)) {
    AddTables(fmt::format("{}/{}", folder, name), tables);
  }
  return tables;
}

Status PrintTable(Prompt& prompt, const std::string& path, double limit,
                  size_t most) {
  constexpr uint64_t kLargest = 256 << 20;
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  if (file.size() > kLargest) {
    return TooLarge("a table of {}", BytesText(file.size())).At(path);
  }
  ASSIGN_OR_RETURN(const std::string text, file.Text(0, file.size()));
  ASSIGN_OR_RETURN(const auto operators, ReadCosines(text, path));
  std::string panels;
  const size_t bad = PrintBadOperators(operators, limit, most, panels);
  prompt.print(panels);
  if (bad > most) {
    prompt.talk(fmt::format("{} more at or below {}; 'vcs -l N' shows them",
                            Counted(bad - most, "operator"),
                            ShortestText(limit)));
  }
  if (bad == 0) {
    prompt.talk(fmt::format("{}: no output with a cosine of {} or less", path,
                            ShortestText(limit)));
  }
  return Done{};
}

Result<int> RunSummary(Prompt& prompt, const OldArguments& args) {
  ASSIGN_OR_RETURN(const double limit, NumberOf(args, "-c", kLimit));
  ASSIGN_OR_RETURN(const size_t most, CountOf(args, "-l", kMost));
  const std::string asked = args.Text("-f");
  std::error_code ignored;
  std::vector<std::string> tables = {asked};
  if (asked.empty()) tables = TablesIn(TablesFolder(prompt));
  if (fs::is_directory(asked, ignored)) tables = TablesIn(asked);
  if (tables.empty()) {
    return NotFound("no table to read")
        .At(asked.empty() ? TablesFolder(prompt) : asked)
        .Hint("'vc' compares the network and writes one");
  }
  for (const std::string& table : tables) {
    RETURN_IF_ERROR(PrintTable(prompt, table, limit, most));
  }
  return 0;
}

}  // namespace

std::string TablesFolder(const Prompt& prompt) {
  return prompt.folder.temp + "/vector_compare";
}

std::vector<std::string> TablesIn(const std::string& folder) {
  const std::string root = WithoutSlashes(folder);
  std::vector<std::string> names = NamesIn(root, EntryKind::kFolder);
  std::erase_if(names, [](const std::string& name) {
    return !AllDigits(name.substr(0, 1));
  });
  // One that failed wrote none, and hides no earlier one.
  for (size_t i = names.size(); i-- > 0;) {
    auto tables = TablesOf(fmt::format("{}/{}", root, names[i]));
    if (!tables.empty()) return tables;
  }
  return TablesOf(root);
}

Status PrintWorstOperators(Prompt& prompt, const std::string& folder,
                           size_t most) {
  for (const std::string& table : TablesIn(folder)) {
    RETURN_IF_ERROR(PrintTable(prompt, table, kLimit, most));
  }
  return Done{};
}

extern constinit const PromptCommand kPromptVcs = {
    .name = "vcs",
    .usage = "vcs [-f PATH] [-c X] [-l N]",
    .sentence = "Shows the bad operators of a table that vc wrote.",
    .options = kVcsOptions,
    .run = RunSummary,
};

}  // namespace assay
