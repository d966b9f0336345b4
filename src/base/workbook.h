#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/output_file.h"

namespace assay {

// Spreadsheets (.xlsx). A module writes them: base/module.h.
struct WorkbookCell {
  std::string text;
  bool is_number = false;
};

// Rows are asked for one after the other, so that none has to be kept.
struct WorkbookSheet {
  std::string name;
  std::function<bool(std::vector<WorkbookCell>& row)> next;  // false: no more
};

Status CheckWorkbooks();  // an error: this program cannot write any
// The file is not committed.
Status WriteWorkbook(OutputFile& file, std::span<const WorkbookSheet> sheets);

// What the module offers: nullptr, or what went wrong.
inline constexpr char kXlsxModule[] = "libassay_xlsx.so";
inline constexpr char kXlsxEntry[] = "AssayWriteXlsx";
using XlsxEntry = const char* (*)(const char* path, const WorkbookSheet* sheets,
                                  size_t count);

}  // namespace assay
