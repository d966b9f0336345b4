#include "base/json_file.h"

#include <utility>

namespace assay {

Result<JsonFile> JsonFile::Map(const InputFile& file) {
  if (file.size() == 0) {
    return Corrupt("the file is empty")
        .At(file.path(), 0)
        .Hint("was the dump interrupted?");
  }
  ASSIGN_OR_RETURN(MappedWindow window,
                   MappedWindow::Map(file, 0, file.size()));
  const std::string_view text(reinterpret_cast<const char*>(window.data()),
                              file.size());
  return JsonFile(std::move(window), text, file.path());
}

Status JsonFile::Intact() const {
  if (window_.intact()) return Done{};
  return Corrupt("the file changed while it was read")
      .At(path_)
      .Hint("was it truncated or replaced while being read?");
}

}  // namespace assay
