#pragma once

#include <memory>
#include <span>
#include <vector>

#include "drawing/layers.h"

namespace assay {

// A layered graph whose edges connect neighbouring layers: longer ones run
// through bends, which are nodes too (numbered after the real ones).
struct ProperGraph {
  size_t real = 0;  // nodes that are no bends
  std::vector<uint32_t> layer;
  std::vector<std::vector<uint32_t>> layers;  // nodes from left to right
  std::vector<uint32_t> place;                // of a node in its layer
  std::unique_ptr<const Neighbours> users, producers;

  size_t size() const { return layer.size(); }
  bool IsBend(uint32_t node) const { return node >= real; }
  // Gives every node of a layer its place.
  void Renumber(std::vector<uint32_t>& order);
};

// Edges over very many layers get no bends, lest these outnumber the nodes by
// far; they do not influence the drawing.
ProperGraph MakeProper(size_t nodes, std::span<const DrawnEdge> edges,
                       std::vector<uint32_t> layers);

// Sorts the layers so that few edges cross: medians of the neighbours, down
// and up a few times.
void ReduceCrossings(ProperGraph& graph);

}  // namespace assay
