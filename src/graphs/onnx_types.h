#pragma once

#include <cstdint>
#include <unordered_map>

#include "graphs/onnx_file.h"

namespace assay::onnx {

// The element types of the tensors of the main graph, as ONNX numbers them:
// those that the file tells, and those that follow from its operators. What
// does not follow is left out.
std::unordered_map<NameId, uint32_t> ElementTypes(const OnnxFile& file);

}  // namespace assay::onnx
