#pragma once

#include <vector>

#include "graphs/onnx_model.h"

namespace assay::onnx {

// The numbers of a small tensor whose values stand in the model's file. Empty:
// there are none, too many, or they are of another kind.
std::vector<double> SmallNumbers(const Value& value);

}  // namespace assay::onnx
