#include "graphs/saved_model.h"

#include <filesystem>

namespace assay {

std::string InsideSavedModel(const std::string& path) {
  std::error_code failed;
  if (!std::filesystem::is_directory(path, failed)) return path;
  for (const char* name : {"saved_model.pb", "saved_model.pbtxt"}) {
    const std::filesystem::path file = std::filesystem::path(path) / name;
    if (std::filesystem::is_regular_file(file, failed)) return file.string();
  }
  return path;
}

}  // namespace assay
