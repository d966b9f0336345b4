#pragma once

#include <string_view>

#include "core/graph.h"

namespace assay {

// What is known of the file that a graph was read from.
struct GraphFaultOptions {
  std::string_view text;      // all of it, if it is text: places are lines too
  bool shared_names = false;  // edges go by tensors, operators share names
};

// Finds what cannot be in a graph that runs: names that stand twice in a part,
// inputs that no operator makes, circles. The first of each kind goes into
// Graph::faults, with its place.
void FindGraphFaults(const GraphFaultOptions& options, Graph& graph);

}  // namespace assay
