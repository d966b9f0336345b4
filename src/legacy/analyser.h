#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "legacy/csv_table.h"

namespace assay {

// msit's look at a result table: which rows are beyond the limits of accuracy.
enum class AnalyserStrategy : uint8_t {
  kFirst,      // the first bad row, with all its bad columns
  kFirstEach,  // per column the first bad row
  kAll,
};

struct BadRow {
  size_t line = 0;                    // of the table, whose heading is line 0
  std::vector<std::string> monitors;  // the columns that are beyond a limit
};

std::vector<BadRow> Analyse(std::span<const CsvRow> table,
                            AnalyserStrategy strategy);

// The columns of the table whose values are beyond their limits. Infinite ones
// count only where asked for.
std::vector<std::string> BeyondLimits(const CsvRow& heading, const CsvRow& row,
                                      bool infinite);

// Monitor, Value, Index, OpType, NPUDump, GroundTruth of each.
std::string AnalyserText(std::span<const CsvRow> table,
                         std::span<const BadRow> bad);

// The place of a column; the last of several is asked for. -1: none.
int FindColumn(const CsvRow& heading, std::string_view name);

}  // namespace assay
