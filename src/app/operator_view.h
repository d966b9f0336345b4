#pragma once

#include <string>

#include "pipeline/graph_index.h"

namespace assay {

// Everything a graph says of one operator; `all`: also its attributes.
std::string OperatorText(const Graph& graph, const GraphIndex& index,
                         uint32_t number, bool all);

}  // namespace assay
