#pragma once

#include <vector>

#include "drawing/proper_graph.h"

namespace assay {

// The horizontal place of every node, bends too (U. Brandes, B. Koepf: Fast and
// Simple Horizontal Coordinate Assignment, 2001): each node is aligned with the
// median of its neighbours, once for each corner of the picture; the mean of
// the two middle results counts.
std::vector<float> AlignNodes(const ProperGraph& graph);

}  // namespace assay
