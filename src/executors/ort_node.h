#pragma once

#include <string>
#include <string_view>

#include "graphs/onnx_file.h"

namespace assay::ort {

// What the runtime says of a model, with the node it means where it names no
// more than an operator.
std::string WithNode(const onnx::OnnxFile& file, std::string_view said);

}  // namespace assay::ort
