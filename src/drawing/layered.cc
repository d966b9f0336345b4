#include "drawing/layered.h"

#include <algorithm>

#include "drawing/alignment.h"
#include "drawing/layers.h"
#include "drawing/proper_graph.h"

namespace assay {

Drawing DrawLayered(size_t nodes, std::span<const DrawnEdge> edges) {
  const std::vector<DrawnEdge> forward = WithoutCycles(nodes, edges);
  ProperGraph graph = MakeProper(nodes, forward, AssignLayers(nodes, forward));
  ReduceCrossings(graph);
  std::vector<float> x = AlignNodes(graph);
  x.resize(nodes);
  if (nodes > 0) {
    const float left = std::ranges::min(x);
    for (float& each : x) each -= left;
  }
  graph.layer.resize(nodes);
  return {std::move(x), std::move(graph.layer)};
}

}  // namespace assay
