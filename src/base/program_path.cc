#include "base/program_path.h"

#include <cstdlib>
#include <filesystem>

namespace assay {

std::string ProgramPath() {
  if (const char* named = std::getenv("ASSAY_PROGRAM")) return named;
  std::error_code failed;
  const auto path = std::filesystem::read_symlink("/proc/self/exe", failed);
  return failed ? "assay" : path.string();
}

}  // namespace assay
