#pragma once

#include <string>

#include "base/result.h"
#include "executors/ort_api.h"

namespace assay::ort {

// An opened ONNX Runtime. It stays in the process until its end: its threads
// may outlive whatever would close it.
struct Library {
  const Api* api = nullptr;
  std::string path, version;
};

// `wanted` is a library, or a folder that holds one. Empty: what ASSAY_ORT_LIB
// names, else the one fetched by `make setup`, that of a Python or Node
// package, that of the system, in this order.
Result<Library> OpenLibrary(const std::string& wanted);

}  // namespace assay::ort
