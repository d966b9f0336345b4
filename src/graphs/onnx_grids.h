#pragma once

#include "core/graph.h"
#include "graphs/onnx_model.h"

namespace assay::onnx {

// Tells the outputs of `graph` that hold quantised numbers what these stand
// for, where the model has the scales as initializers or constants.
void SetGrids(const Model& model, Graph& graph);

}  // namespace assay::onnx
