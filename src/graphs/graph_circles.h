#pragma once

#include <cstdint>
#include <vector>

#include "core/graph.h"

namespace assay {

// Operators that close a circle: one of their inputs is made of what they make.
// Loops that a framework writes as such (NextIteration) are none. Numbers into
// Graph::operators, rising.
std::vector<uint32_t> OperatorsInCircles(const Graph& graph);

}  // namespace assay
