#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/graph.h"

namespace assay {

// One use of an operator's output.
struct GraphUse {
  uint32_t op = 0;      // who uses it: into Graph::operators
  int32_t input = 0;    // as which of its inputs
  int32_t output = -1;  // which output is used; -1: order only
};

// Who feeds whom in a graph. The graph must outlive it.
class GraphIndex {
 public:
  explicit GraphIndex(const Graph& graph);

  const Graph& graph() const { return graph_; }
  // The operator that `name` means inside `part`: the one of that part, else
  // the first anywhere.
  std::optional<uint32_t> Find(uint32_t part, NameId name) const;
  std::optional<uint32_t> Producer(const Operator& user, size_t input) const;
  std::span<const GraphUse> Uses(uint32_t op) const { return uses_[op]; }
  // The operator whose subgraph this operator stands in.
  std::optional<uint32_t> Caller(const Operator& op) const;
  // The operator that hands out the results of a subgraph.
  std::optional<uint32_t> Results(NameId subgraph) const;

 private:
  const Graph& graph_;
  std::unordered_map<uint64_t, uint32_t> by_part_;
  std::unordered_map<NameId, uint32_t> callers_;  // by name of the subgraph
  std::unordered_map<NameId, uint32_t> parts_;
  std::vector<std::vector<GraphUse>> uses_;
};

}  // namespace assay
