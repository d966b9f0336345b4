#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"
#include "legacy/csv_table.h"

namespace assay {

struct Sheet {
  std::string name;
  std::vector<CsvRow> rows;
};

// Writes a whole workbook and commits it; cells that are finite numbers become
// numbers.
Status WriteXlsx(OutputFile& file, std::span<const Sheet> sheets);

}  // namespace assay
