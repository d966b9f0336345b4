#pragma once

#include <cstdint>
#include <vector>

#include "core/graph.h"

namespace assay {

// Operators that wait for what they make. Loops that a framework writes as
// such (NextIteration) are none.
struct GraphCircles {
  uint64_t count = 0;  // edges that close one
  // The first: numbers into Graph::operators, each makes an input of the next,
  // the last one of the first. The smallest number stands first.
  std::vector<uint32_t> first;
};

GraphCircles CirclesOf(const Graph& graph);

}  // namespace assay
