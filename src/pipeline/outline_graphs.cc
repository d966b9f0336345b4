#include "pipeline/outline_graphs.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "pairing/rule_sets.h"
#include "pipeline/graph_index.h"

namespace assay {
namespace {

using Names = std::unordered_map<std::string_view, uint32_t>;

struct Sketch {
  GraphOutline outline;
  std::vector<std::pair<const Graph*, const Operator*>> sources;  // of nodes
  Names by_name;
};

GraphOutline::Node NodeOf(const Graph& graph, const Operator& op) {
  GraphOutline::Node node{.name = std::string(graph.Text(op.name)),
                          .type = std::string(graph.Text(op.type))};
  if (!op.originals || op.originals->size() < 2) return node;
  for (const NameId id : *op.originals) {
    node.originals.emplace_back(graph.Text(id));
  }
  return node;
}

// Graphs of several ranks name the same operators: each is drawn once.
void Add(const Graph& graph, Sketch& sketch) {
  GraphOutline& outline = sketch.outline;
  std::vector<std::optional<uint32_t>> fresh(graph.operators.size());
  for (size_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    const auto number = static_cast<uint32_t>(outline.nodes.size());
    if (!sketch.by_name.emplace(graph.Text(op.name), number).second) continue;
    fresh[i] = number;
    outline.nodes.push_back(NodeOf(graph, op));
    sketch.sources.emplace_back(&graph, &op);
  }
  const GraphIndex index(graph);
  for (size_t i = 0; i < graph.operators.size(); ++i) {
    if (!fresh[i]) continue;
    const Operator& op = graph.operators[i];
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      if (!op.inputs[k].IsData()) continue;
      const auto producer = index.Producer(op, k);
      if (!producer) continue;
      const auto& name = graph.Text(graph.operators[*producer].name);
      outline.edges.emplace_back(sketch.by_name.at(name), *fresh[i]);
    }
  }
}

Sketch SketchOf(const Dump& dump) {
  Sketch sketch;
  if (dump.graphs.empty()) return sketch;
  sketch.outline.file = GraphName(dump);
  for (const auto& graph : dump.graphs) Add(*graph, sketch);
  auto& edges = sketch.outline.edges;
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  return sketch;
}

using Ops = std::vector<std::string_view>;  // of the rows

size_t Place(const Ops& ops, Sketch& sketch) {
  size_t found = 0;
  for (const std::string_view op : ops) {
    const auto at = sketch.by_name.find(op);
    const bool known = at != sketch.by_name.end();
    sketch.outline.node_of_row.push_back(
        known ? static_cast<int32_t>(at->second) : -1);
    found += known;
  }
  return found;
}

// Attributes are many and long: only those of operators with bad rows.
void AddAttributes(const Comparison& c, Sketch& sketch) {
  constexpr size_t kLongest = 200;
  for (size_t i = 0; i < c.rows.size(); ++i) {
    const Verdict verdict = c.rows[i].verdict;
    const int32_t at = sketch.outline.node_of_row[i];
    const bool bad = verdict == Verdict::kFail || verdict == Verdict::kUnsure;
    if (!bad || at < 0) continue;
    const auto& [graph, op] = sketch.sources[static_cast<size_t>(at)];
    auto& attrs = sketch.outline.nodes[static_cast<size_t>(at)].attrs;
    if (!attrs.empty()) continue;
    for (const GraphAttr& attr : op->attrs) {
      attrs.emplace_back(graph->Text(attr.key),
                         graph->Text(attr.value).substr(0, kLongest));
    }
  }
}

std::shared_ptr<const GraphOutline> Finish(const Comparison& c, const Ops& ops,
                                           Sketch sketch) {
  const size_t found = Place(ops, sketch);
  if (found == 0) return nullptr;
  AddAttributes(c, sketch);
  return std::make_shared<const GraphOutline>(std::move(sketch.outline));
}

std::shared_ptr<const GraphOutline> Borrowed(const Comparison& c,
                                             const Ops& ops,
                                             const Dump& other) {
  Sketch sketch = SketchOf(other);
  const auto known = [&](std::string_view op) {
    return sketch.by_name.contains(op);
  };
  if (std::ranges::count_if(ops, known) * 2 < std::ssize(ops)) return nullptr;
  return Finish(c, ops, std::move(sketch));
}

}  // namespace

void OutlineGraphs(const Dump& golden, const Dump& target,
                   std::span<const Planned> planned, Comparison& c) {
  if (golden.graphs.empty() && target.graphs.empty()) return;
  Ops golden_ops, target_ops;
  for (const Planned& p : planned) {
    const Dump& dump = p.golden_is_target ? target : golden;
    golden_ops.push_back(dump.names[dump.tensors[p.golden].id.op]);
    target_ops.push_back(target.names[target.tensors[p.target].id.op]);
  }
  c.golden_graph = golden.graphs.empty()
                       ? Borrowed(c, golden_ops, target)
                       : Finish(c, golden_ops, SketchOf(golden));
  c.target_graph = target.graphs.empty()
                       ? Borrowed(c, target_ops, golden)
                       : Finish(c, target_ops, SketchOf(target));
}

}  // namespace assay
