#include "graphs/graph_warnings.h"

#include <fmt/format.h>

#include "base/text.h"
#include "graphs/graph_circles.h"

namespace assay {
namespace {

// How many, and one of them with its place in the file.
struct Seen {
  uint64_t count = 0;
  NameId name = kNoName;
  uint64_t at = 0;

  void Add(NameId which, const Operator& op) {
    if (count++ > 0) return;
    name = which;
    at = op.at;
  }
  std::string Example(const Graph& graph) const {
    return fmt::format("such as '{}' at byte {}", graph.Text(name), at);
  }
};

void WarnOfDuplicates(Graph& graph) {
  Seen seen;
  for (const Operator& op : graph.operators) {
    const Operator* const first = graph.Find(op.name);
    if (first != &op && first->part == op.part) seen.Add(op.name, op);
  }
  if (seen.count == 0) return;
  graph.warnings.push_back(fmt::format("{} with the name of another, {}",
                                       Counted(seen.count, "operator"),
                                       seen.Example(graph)));
}

void WarnOfMissing(Graph& graph) {
  Seen seen;
  for (const Operator& op : graph.operators) {
    for (const GraphEdge& edge : op.inputs) {
      if (edge.op == kNoName || graph.Find(edge.op) != nullptr) continue;
      seen.Add(edge.op, op);
    }
  }
  if (seen.count == 0) return;
  graph.warnings.push_back(
      fmt::format("{} from operators that are not there, {}",
                  Counted(seen.count, "input"), seen.Example(graph)));
}

void WarnOfCircles(Graph& graph) {
  Seen seen;
  for (const uint32_t i : OperatorsInCircles(graph)) {
    seen.Add(graph.operators[i].name, graph.operators[i]);
  }
  if (seen.count == 0) return;
  graph.warnings.push_back(fmt::format("{} closing a circle, {}",
                                       Counted(seen.count, "operator"),
                                       seen.Example(graph)));
}

}  // namespace

void AddGraphWarnings(Graph& graph) {
  WarnOfDuplicates(graph);
  WarnOfMissing(graph);
  WarnOfCircles(graph);
}

}  // namespace assay
