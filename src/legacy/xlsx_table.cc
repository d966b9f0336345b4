#include "legacy/xlsx_table.h"

#include <xlsxwriter.h>

#include <cmath>
#include <cstdlib>

namespace assay {
namespace {

void WriteCell(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column,
               const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == 0 && std::isfinite(number)) {
    worksheet_write_number(sheet, row, column, number, nullptr);
  } else {
    worksheet_write_string(sheet, row, column, text.c_str(), nullptr);
  }
}

void WriteSheet(lxw_worksheet* out, const Sheet& sheet) {
  for (size_t r = 0; r < sheet.rows.size(); ++r) {
    for (size_t c = 0; c < sheet.rows[r].size(); ++c) {
      WriteCell(out, static_cast<lxw_row_t>(r), static_cast<lxw_col_t>(c),
                sheet.rows[r][c]);
    }
  }
}

}  // namespace

Status WriteXlsx(OutputFile& file, std::span<const Sheet> sheets) {
  lxw_workbook_options options = {};
  options.constant_memory = LXW_TRUE;
  lxw_workbook* book = workbook_new_opt(file.temporary().c_str(), &options);
  for (const Sheet& sheet : sheets) {
    lxw_worksheet* out = workbook_add_worksheet(book, sheet.name.c_str());
    if (out != nullptr) WriteSheet(out, sheet);
  }
  if (const lxw_error error = workbook_close(book); error != LXW_NO_ERROR) {
    return IoError("cannot write: {}", lxw_strerror(error)).At(file.path());
  }
  return file.Commit();
}

}  // namespace assay
