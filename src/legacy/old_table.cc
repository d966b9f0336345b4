#include "legacy/old_table.h"

#include <fmt/ranges.h>

#include <filesystem>

#include "base/text.h"

namespace assay {

extern const OldTable kMsaccucmpTable, kMsitDebugTable, kMsitLlmTable,
    kMsprobeTable, kTecoTable;

namespace {

constinit const OldTable* const kTables[] = {&kMsaccucmpTable, &kMsitDebugTable,
                                             &kMsitLlmTable, &kMsprobeTable,
                                             &kTecoTable};

}  // namespace

std::span<const OldTable* const> AllOldTables() { return kTables; }

Result<const OldTable*> OldTableNamed(std::string_view name) {
  std::vector<std::string_view> known;
  for (const OldTable* table : kTables) {
    if (table->name == name) return table;
    known.push_back(table->name);
  }
  return Usage("unknown table '{}'", name)
      .Hint(
          DidYouMean(name, known,
                     fmt::format("the tables are {}", fmt::join(known, ", "))));
}

std::string FullPathOf(const SourceLabel& source, const Operand& operand) {
  namespace fs = std::filesystem;
  const fs::path root = source.source;
  const fs::path path = fs::is_directory(root) ? root / operand.file : root;
  return fs::absolute(path).lexically_normal().string();
}

}  // namespace assay
