#include "graphs/graph_warnings.h"

#include <fmt/format.h>

#include "base/text.h"

namespace assay {
namespace {

void WarnOfDuplicates(Graph& graph) {
  uint64_t count = 0;
  NameId example = kNoName;
  for (const Operator& op : graph.operators) {
    const Operator* const first = graph.Find(op.name);
    if (first == &op || first->part != op.part) continue;
    ++count;
    example = op.name;
  }
  if (count == 0) return;
  graph.warnings.push_back(
      fmt::format("{} with the name of another, such as '{}'",
                  Counted(count, "operator"), graph.Text(example)));
}

void WarnOfMissing(Graph& graph) {
  uint64_t count = 0;
  NameId example = kNoName;
  for (const Operator& op : graph.operators) {
    for (const GraphEdge& edge : op.inputs) {
      if (edge.op == kNoName || graph.Find(edge.op) != nullptr) continue;
      ++count;
      example = edge.op;
    }
  }
  if (count == 0) return;
  graph.warnings.push_back(
      fmt::format("{} from operators that are not there, such as '{}'",
                  Counted(count, "input"), graph.Text(example)));
}

}  // namespace

void AddGraphWarnings(Graph& graph) {
  WarnOfDuplicates(graph);
  WarnOfMissing(graph);
}

}  // namespace assay
