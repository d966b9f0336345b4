// Executors of the Python package `assay`, and the user's own in Python.
#include <fmt/format.h>

#include "executors/executor.h"
#include "executors/python_words.h"

namespace assay {
namespace {

template <const char* kName>
Result<std::vector<std::string>> Start(const std::string&) {
  return PythonWords({"-m", fmt::format("assay.executors.{}", kName)});
}

constexpr char kOpenvinoName[] = "openvino", kTvmName[] = "tvm",
               kSdaaName[] = "sdaa", kOnnxReferenceName[] = "onnx_reference";

}  // namespace

extern constinit const Executor kOpenvino = {
    .name = kOpenvinoName,
    .summary = "OpenVINO on the CPU; precision=f32|f16|bf16",
    .start = Start<kOpenvinoName>,
    .stays = true,
};
extern constinit const Executor kTvm = {
    .name = kTvmName,
    .summary = "TVM: Relay where it is there, else Relax",
    .start = Start<kTvmName>,
    .stays = true,
};
extern constinit const Executor kSdaa = {
    .name = kSdaaName,
    .summary = "Tecorigin SDAA through its TVM; passes=FILE.py",
    .start = Start<kSdaaName>,
    .stays = true,
};
extern constinit const Executor kOnnxReference = {
    .name = kOnnxReferenceName,
    .summary = "the reference evaluator of the Python package onnx",
    .start = Start<kOnnxReferenceName>,
    .stays = true,
};

}  // namespace assay
