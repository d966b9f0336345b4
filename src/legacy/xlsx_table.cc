#include "legacy/xlsx_table.h"

#include <cmath>
#include <cstdlib>

#include "base/workbook.h"

namespace assay {
namespace {

WorkbookCell CellOf(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return {text, !text.empty() && *end == 0 && std::isfinite(number)};
}

WorkbookSheet SheetOf(const Sheet& sheet) {
  return {sheet.name, [&sheet, at = size_t{0}](auto& row) mutable {
            if (at == sheet.rows.size()) return false;
            row.clear();
            for (const std::string& text : sheet.rows[at++]) {
              row.push_back(CellOf(text));
            }
            return true;
          }};
}

}  // namespace

Status WriteXlsx(OutputFile& file, std::span<const Sheet> sheets) {
  std::vector<WorkbookSheet> book;
  for (const Sheet& sheet : sheets) book.push_back(SheetOf(sheet));
  RETURN_IF_ERROR(WriteWorkbook(file, book));
  return file.Commit();
}

}  // namespace assay
