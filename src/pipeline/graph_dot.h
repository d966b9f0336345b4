#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/graph_index.h"

namespace assay {

// The operators around one: at most `levels` edges away, producers and
// consumers alike.
struct Neighbourhood {
  struct Edge {
    uint32_t from = 0, to = 0;       // into Graph::operators
    int32_t output = -1, input = 0;  // output -1: order only
  };
  uint32_t centre = 0;
  std::vector<uint32_t> operators;  // the centre first, then level by level
  std::vector<Edge> edges;
  bool cut = false;  // there were more operators than a picture can show
};

Neighbourhood FindNeighbours(const Graph& graph, const GraphIndex& index,
                             uint32_t centre, int levels);

// The picture in Graphviz' language.
std::string DotText(const Graph& graph, const Neighbourhood& around);
// The picture itself, drawn by Graphviz' program.
Result<std::string> DrawSvg(const std::string& dot);

}  // namespace assay
