#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace assay {

// Where the nodes of a directed graph stand in a picture: layer under layer,
// edges pointing down, few crossings, and long chains straight (Sugiyama's
// steps; the last one after Brandes and Koepf).

using DrawnEdge = std::pair<uint32_t, uint32_t>;  // from, to

struct Drawing {
  std::vector<float> x;         // of each node, in widths of a node
  std::vector<uint32_t> layer;  // from 0 at the top
};

Drawing DrawLayered(size_t nodes, std::span<const DrawnEdge> edges);

}  // namespace assay
