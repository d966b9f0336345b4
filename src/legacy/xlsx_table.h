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

// What the module offers: nullptr, or what went wrong.
inline constexpr char kXlsxModule[] = "libassay_xlsx.so";
inline constexpr char kXlsxEntry[] = "AssayWriteXlsx";
using XlsxEntry = const char* (*)(const char* path, const Sheet* sheets,
                                  size_t count);

}  // namespace assay
