#pragma once

#include <span>
#include <vector>

#include "drawing/layered.h"

namespace assay {

// The edges without those to the node itself and twice; an edge that closes a
// cycle is turned round.
std::vector<DrawnEdge> WithoutCycles(size_t nodes,
                                     std::span<const DrawnEdge> edges);

// A layer for each node, every edge pointing down. Nodes without producers
// stand just above their first user.
std::vector<uint32_t> AssignLayers(size_t nodes,
                                   std::span<const DrawnEdge> edges);

// Neighbours of each node, in one block.
class Neighbours {
 public:
  enum Direction { kUsers, kProducers };
  Neighbours(size_t nodes, std::span<const DrawnEdge> edges,
             Direction direction);
  std::span<const uint32_t> Of(uint32_t node) const {
    return {all_.data() + begin_[node], begin_[node + 1] - begin_[node]};
  }

 private:
  std::vector<uint32_t> begin_, all_;
};

}  // namespace assay
