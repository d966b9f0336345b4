#pragma once

#include "core/dump.h"
#include "core/graph.h"

namespace assay {

// Runtimes name a dumped tensor by itself or by its node and output; an ONNX
// graph knows both. Tensors that it knows get node, output and order.
void NameByOnnx(const Graph& graph, Dump& dump);

}  // namespace assay
