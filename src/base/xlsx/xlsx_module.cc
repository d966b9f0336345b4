// The module that knows libxlsxwriter; nothing else does.
#include <xlsxwriter.h>

#include <cstdlib>

#include "base/workbook.h"

namespace assay {
namespace {

// A cell holds so many characters; of UTF-8 there are no more than bytes.
constexpr size_t kLongest = 32'000;

void Shorten(std::string& text) {
  size_t end = kLongest;
  while ((text[end] & 0xc0) == 0x80) --end;  // not inside a character
  text.resize(end);
  text += "…";
}

lxw_error WriteCell(lxw_worksheet* sheet, lxw_row_t row, lxw_col_t column,
                    WorkbookCell& cell) {
  if (cell.is_number) {
    return worksheet_write_number(
        sheet, row, column, std::strtod(cell.text.c_str(), nullptr), nullptr);
  }
  if (cell.text.size() > kLongest) Shorten(cell.text);
  return worksheet_write_string(sheet, row, column, cell.text.c_str(), nullptr);
}

lxw_error WriteSheet(lxw_worksheet* out, const WorkbookSheet& sheet) {
  std::vector<WorkbookCell> cells;
  for (lxw_row_t row = 0; sheet.next(cells); ++row) {
    for (size_t c = 0; c < cells.size(); ++c) {
      const lxw_error error =
          WriteCell(out, row, static_cast<lxw_col_t>(c), cells[c]);
      if (error != LXW_NO_ERROR) return error;
    }
  }
  return LXW_NO_ERROR;
}

const char* Words(lxw_error error) {
  if (error == LXW_ERROR_WORKSHEET_INDEX_OUT_OF_RANGE) {
    return "there are more rows than a sheet can hold";
  }
  return lxw_strerror(error);
}

}  // namespace
}  // namespace assay

extern "C" const char* AssayWriteXlsx(const char* path,
                                      const assay::WorkbookSheet* sheets,
                                      size_t count) {
  lxw_workbook_options options = {};
  options.constant_memory = LXW_TRUE;
  lxw_workbook* book = workbook_new_opt(path, &options);
  lxw_error first = LXW_NO_ERROR;
  for (const assay::WorkbookSheet& sheet : std::span(sheets, count)) {
    lxw_worksheet* out = workbook_add_worksheet(book, sheet.name.c_str());
    if (out == nullptr) continue;
    const lxw_error error = assay::WriteSheet(out, sheet);
    if (first == LXW_NO_ERROR) first = error;
  }
  const lxw_error closed = workbook_close(book);
  if (first == LXW_NO_ERROR) first = closed;
  return first == LXW_NO_ERROR ? nullptr : assay::Words(first);
}
