#include "graphs/tf_debug.h"

#include <unordered_map>

namespace assay::tf {
namespace {

// "__copy_net/mm_0" of type Copy or CopyHost; consumers read the copy.
bool IsCopy(const Graph& graph, const Operator& op) {
  return graph.Text(op.name).starts_with("__copy_") &&
         graph.Text(op.type).starts_with("Copy") && op.inputs.size() == 1;
}

bool IsWatch(std::string_view name) { return name.starts_with("__dbg_"); }

}  // namespace

void RemoveDebugNodes(Graph& graph) {
  std::unordered_map<NameId, GraphEdge> copied;
  for (const Operator& op : graph.operators) {
    if (IsCopy(graph, op)) copied.emplace(op.name, op.inputs[0]);
  }
  std::erase_if(graph.operators, [&](const Operator& op) {
    return copied.contains(op.name) || IsWatch(graph.Text(op.name));
  });
  int64_t id = 0;
  for (Operator& op : graph.operators) {
    op.id = id++;
    std::erase_if(op.inputs, [&](const GraphEdge& edge) {
      return edge.index < 0 && IsWatch(graph.Text(edge.op));
    });
    for (GraphEdge& edge : op.inputs) {
      const auto found = copied.find(edge.op);
      if (found == copied.end()) continue;
      const int32_t index = edge.index < 0 ? -1 : found->second.index;
      edge = {found->second.op, index};
    }
  }
}

}  // namespace assay::tf
