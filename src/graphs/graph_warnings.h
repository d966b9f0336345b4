#pragma once

#include "core/graph.h"

namespace assay {

// Says what is odd in a graph that is read and can be used: names that occur
// twice, inputs that no operator makes.
void AddGraphWarnings(Graph& graph);

}  // namespace assay
