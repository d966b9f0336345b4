#pragma once

#include <unordered_map>

#include "graphs/onnx_file.h"

namespace assay::onnx {

using Shapes = std::unordered_map<NameId, Shape>;

// The shapes of tensors of the main graph that follow from those of its inputs,
// through operators that keep a shape, stretch shapes against each other, or
// multiply matrices. What does not follow is left out.
Shapes ShapesFrom(const OnnxFile& file, Shapes inputs);

}  // namespace assay::onnx
