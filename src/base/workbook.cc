#include "base/workbook.h"

#include "base/module.h"

namespace assay {

Status CheckWorkbooks() {
  RETURN_IF_ERROR(LoadModule(kXlsxModule, kXlsxEntry));
  return Done{};
}

Status WriteWorkbook(OutputFile& file, std::span<const WorkbookSheet> sheets) {
  ASSIGN_OR_RETURN(void* const entry, LoadModule(kXlsxModule, kXlsxEntry));
  const char* error = reinterpret_cast<XlsxEntry>(entry)(
      file.temporary().c_str(), sheets.data(), sheets.size());
  if (error == nullptr) return Done{};
  return IoError("cannot write: {}", error).At(file.path());
}

}  // namespace assay
