#pragma once

#include <string>
#include <vector>

#include "legacy/ask_algorithms.h"
#include "legacy/csv_table.h"
#include "legacy/msaccucmp_align.h"
#include "legacy/msaccucmp_rows.h"

namespace assay {

// What of msaccucmp's table is wanted.
struct OldTableOptions {
  AlgorithmOptions ask;
  bool sequence = false, overflow = false;
  bool my_address = false, golden_address = false;
  OldAlignment alignment = OldAlignment::kByRule;
};

// The table's lines, the heading first.
using TableRows = std::vector<CsvRow>;

// Reads the values and fills the table, sorted by Index.
TableRows FillTable(const OldRows& rows, const OldSides& sides,
                    const OldTableOptions& options);

// The table of `-map`: which file meets which.
TableRows MappingTable(const OldRows& rows, const OldSides& sides,
                       bool sequence);

// CRLF, and no cell that a spreadsheet would run.
std::string TableText(const TableRows& table);

}  // namespace assay
