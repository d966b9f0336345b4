// The module that knows libxlsxwriter; nothing else does.
#include <xlsxwriter.h>

#include <cmath>
#include <cstdlib>

#include "legacy/xlsx_table.h"

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
}  // namespace assay

extern "C" const char* AssayWriteXlsx(const char* path,
                                      const assay::Sheet* sheets,
                                      size_t count) {
  lxw_workbook_options options = {};
  options.constant_memory = LXW_TRUE;
  lxw_workbook* book = workbook_new_opt(path, &options);
  for (const assay::Sheet& sheet : std::span(sheets, count)) {
    lxw_worksheet* out = workbook_add_worksheet(book, sheet.name.c_str());
    if (out != nullptr) assay::WriteSheet(out, sheet);
  }
  const lxw_error error = workbook_close(book);
  return error == LXW_NO_ERROR ? nullptr : lxw_strerror(error);
}
