#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "legacy/metric_group.h"
#include "legacy/xlsx_table.h"
#include "pipeline/compare.h"

namespace assay {

// What a table is made from: a finished comparison whose rows have the cells of
// the table's group, and what was asked for.
struct TableRequest {
  const Comparison& comparison;
  const CompareOptions& options;
};

// A result table of an old tool, for `assay compare --table NAME`.
struct OldTable {
  std::string_view name;
  std::string_view summary;
  const MetricGroup* group;  // its cells are filled in; null: none
  Result<std::string> (*text)(const TableRequest&);
  // The same as a workbook; null: there was none.
  Result<std::vector<Sheet>> (*sheets)(const TableRequest&);
};

std::span<const OldTable* const> AllOldTables();
// The error names the nearest.
Result<const OldTable*> OldTableNamed(std::string_view name);

// The path of an operand: below its source, which may be the file itself.
std::string FullPathOf(const SourceLabel& source, const Operand& operand);

}  // namespace assay
