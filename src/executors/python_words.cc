#include "executors/python_words.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "base/program_path.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string TextOf(const char* variable, const char* otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? text : otherwise;
}

}  // namespace

std::string PythonPackageFolder() {
  const fs::path beside = fs::path(ProgramPath()).parent_path();
  for (const char* place : {"../python", "../share/assay/python"}) {
    const fs::path folder = (beside / place).lexically_normal();
    std::error_code ignored;
    if (fs::is_directory(folder / "assay", ignored)) return folder.string();
  }
  return {};
}

std::string PythonProgram() { return TextOf("ASSAY_PYTHON", "python3"); }

std::vector<std::string> PythonWords(std::vector<std::string> words) {
  const std::string folder = PythonPackageFolder();
  const std::string others = TextOf("PYTHONPATH", "");
  std::vector<std::string> out;
  if (!folder.empty()) {
    const char* between = others.empty() ? "" : ":";
    out = {"env", fmt::format("PYTHONPATH={}{}{}", folder, between, others)};
  }
  out.push_back(PythonProgram());
  out.insert(out.end(), words.begin(), words.end());
  return out;
}

}  // namespace assay
