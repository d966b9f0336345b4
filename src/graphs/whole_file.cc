#include "graphs/whole_file.h"

#include <utility>

namespace assay {

Result<WholeFile> WholeFile::Map(const InputFile& file) {
  if (file.size() == 0) {
    return Corrupt("the file is empty")
        .At(file.path(), 0)
        .Hint("was it still being written?");
  }
  ASSIGN_OR_RETURN(MappedWindow window,
                   MappedWindow::Map(file, 0, file.size()));
  const std::string_view bytes(reinterpret_cast<const char*>(window.data()),
                               file.size());
  return WholeFile(std::move(window), bytes);
}

Status WholeFile::Intact(const InputFile& file) const {
  if (window_.intact()) return Done{};
  return Corrupt("the file changed while it was read")
      .At(file.path())
      .Hint("was it truncated or replaced while being read?");
}

}  // namespace assay
