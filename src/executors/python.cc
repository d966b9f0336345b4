// Executors of the Python package `assay`, and the user's own in Python.
#include "executors/python.h"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "executors/executor.h"
#include "executors/program_path.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string TextOf(const char* variable, const char* otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0' ? text : otherwise;
}

template <const char* kName>
Result<std::vector<std::string>> Start(const std::string&) {
  return PythonWords({"-m", fmt::format("assay.executors.{}", kName)});
}

constexpr char kOpenvinoName[] = "openvino", kTvmName[] = "tvm",
               kSdaaName[] = "sdaa", kOnnxReferenceName[] = "onnx_reference";

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

std::vector<std::string> PythonWords(std::vector<std::string> words) {
  const std::string folder = PythonPackageFolder();
  const std::string others = TextOf("PYTHONPATH", "");
  std::vector<std::string> out;
  if (!folder.empty()) {
    const char* between = others.empty() ? "" : ":";
    out = {"env", fmt::format("PYTHONPATH={}{}{}", folder, between, others)};
  }
  out.push_back(TextOf("ASSAY_PYTHON", "python3"));
  out.insert(out.end(), words.begin(), words.end());
  return out;
}

extern constinit const Executor kOpenvino = {
    .name = kOpenvinoName,
    .summary = "OpenVINO on the CPU; precision=f32|f16|bf16",
    .start = Start<kOpenvinoName>,
};
extern constinit const Executor kTvm = {
    .name = kTvmName,
    .summary = "TVM: Relay where it is there, else Relax",
    .start = Start<kTvmName>,
};
extern constinit const Executor kSdaa = {
    .name = kSdaaName,
    .summary = "Tecorigin SDAA through its TVM; passes=FILE.py",
    .start = Start<kSdaaName>,
};
extern constinit const Executor kOnnxReference = {
    .name = kOnnxReferenceName,
    .summary = "the reference evaluator of the Python package onnx",
    .start = Start<kOnnxReferenceName>,
};

}  // namespace assay
