#pragma once

#include "core/graph.h"

namespace assay::tf {

// Takes out what TensorFlow's debugger put into a graph to watch it: a copy
// behind every output, and an operator that writes the copy to disk.
void RemoveDebugNodes(Graph& graph);

}  // namespace assay::tf
