#include "app/shell/line_editor.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/module.h"

namespace assay {

Result<std::unique_ptr<LineEditor>> OpenLineEditor(const EditorSetup& setup) {
  ASSIGN_OR_RETURN(void* const entry, LoadModule(kEditorModule, kEditorEntry));
  return std::unique_ptr<LineEditor>(
      reinterpret_cast<EditorEntry>(entry)(&setup));
}

std::string HistoryFile() {
  if (const char* file = std::getenv("ASSAY_HISTORY")) return file;
  if (const char* state = std::getenv("XDG_STATE_HOME");
      state != nullptr && *state != 0) {
    return fmt::format("{}/assay/history", state);
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == 0) return "";
  return fmt::format("{}/.local/state/assay/history", home);
}

}  // namespace assay
