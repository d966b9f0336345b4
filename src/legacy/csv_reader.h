#pragma once

#include <string_view>
#include <vector>

#include "legacy/csv_table.h"

namespace assay {

// All lines of a CSV file, quotes taken off.
std::vector<CsvRow> ParseCsv(std::string_view text);

}  // namespace assay
