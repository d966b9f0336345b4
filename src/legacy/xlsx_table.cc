#include "legacy/xlsx_table.h"

#include "base/module.h"

namespace assay {

Status WriteXlsx(OutputFile& file, std::span<const Sheet> sheets) {
  ASSIGN_OR_RETURN(void* const entry, LoadModule(kXlsxModule, kXlsxEntry));
  const char* error = reinterpret_cast<XlsxEntry>(entry)(
      file.temporary().c_str(), sheets.data(), sheets.size());
  if (error != nullptr) {
    return IoError("cannot write: {}", error).At(file.path());
  }
  return file.Commit();
}

}  // namespace assay
