#include "pipeline/evidence.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "core/operator_traits.h"
#include "pipeline/graph_index.h"

namespace assay {
namespace {

// One execution of one operator.
struct Instance {
  std::string_view op, graph;
  Phase phase = Phase::kForward;
  int32_t rank = -1, step = -1, call = 0;

  bool operator==(const Instance&) const = default;
};

struct InstanceHash {
  size_t operator()(const Instance& i) const {
    size_t hash = std::hash<std::string_view>()(i.op);
    for (const size_t x :
         {std::hash<std::string_view>()(i.graph), static_cast<size_t>(i.phase),
          static_cast<size_t>(i.rank), static_cast<size_t>(i.step),
          static_cast<size_t>(i.call)}) {
      hash = hash * 0x9e3779b97f4a7c15u + x;
    }
    return hash;
  }
};

Instance InstanceOf(const Place& p) {
  return {p.op, p.graph, p.phase, p.rank, p.step, p.call};
}

using Group = std::vector<uint32_t>;  // rows of one instance
using Indices = std::unordered_set<int32_t>;
using Groups = std::unordered_map<Instance, Group, InstanceHash>;

// An edge, and the part of the graph whose names it uses.
struct Edge {
  uint32_t part = 0;
  GraphEdge to;
};

void AddInput(const Operator& op, int32_t input, std::vector<Edge>& out) {
  const auto i = static_cast<size_t>(input);
  if (input < 0 || i >= op.inputs.size() || !op.inputs[i].IsData()) return;
  out.push_back({op.part, op.inputs[i]});
}

// What output `index` of `op` is made from. The input of a subgraph is its
// caller's, and what the caller gives is what the subgraph hands out.
std::vector<Edge> EdgesBefore(const GraphIndex& index, const Operator& op,
                              int32_t output) {
  std::vector<Edge> out;
  const auto& all = index.graph().operators;
  if (const auto caller = index.Caller(op); caller && op.parent_input >= 0) {
    AddInput(all[*caller], op.parent_input, out);
    return out;
  }
  for (const NameId subgraph : op.subgraphs) {
    const auto results = index.Results(subgraph);
    if (results) AddInput(all[*results], output, out);
  }
  if (!out.empty()) return out;
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    AddInput(op, static_cast<int32_t>(i), out);
  }
  return out;
}

class Linker {
 public:
  Linker(std::span<const Place> places, const Dump& dump);
  Ingredients Link(uint32_t row) const;

 private:
  struct Found {
    const Graph* graph = nullptr;
    const Operator* op = nullptr;
  };
  const Group* RowsOf(std::string_view op, const Place& like) const;
  Found Find(const Place& place) const;
  Indices AddDumpedInputs(const Place& place, Ingredients& out) const;
  void AddProducers(const Place& place, const Indices& dumped,
                    Ingredients& out) const;
  const GraphIndex& IndexOf(const Graph& graph) const;
  void Follow(const GraphIndex& index, Edge edge, const Place& like,
              Ingredients& out) const;
  bool AddOutput(const Group& group, int32_t index, Ingredients& out) const;

  std::span<const Place> places_;
  std::span<const std::shared_ptr<const Graph>> graphs_;
  std::unordered_map<std::string_view, const Graph*> by_model_;
  mutable std::map<const Graph*, GraphIndex> indices_;  // made when needed
  Groups groups_;
};

Linker::Linker(std::span<const Place> places, const Dump& dump)
    : places_(places), graphs_(dump.graphs) {
  for (const auto& [model, graph] : dump.graph_of) {
    by_model_.emplace(dump.names[model], graph.get());
  }
  for (const auto& graph : graphs_) {
    for (const Graph::Part& part : graph->parts) {
      by_model_.emplace(graph->Text(part.name), graph.get());
    }
  }
  for (uint32_t i = 0; i < places.size(); ++i) {
    if (places[i].port == Port::kNone) continue;
    groups_[InstanceOf(places[i])].push_back(i);
  }
}

const Group* Linker::RowsOf(std::string_view op, const Place& like) const {
  Instance instance = InstanceOf(like);
  instance.op = op;
  const auto found = groups_.find(instance);
  return found == groups_.end() ? nullptr : &found->second;
}

// Several models may have an operator of one name.
Linker::Found Linker::Find(const Place& place) const {
  if (const auto own = by_model_.find(place.graph); own != by_model_.end()) {
    const Operator* found = own->second->Find(place.op);
    if (found != nullptr) return {own->second, found};
  }
  for (const auto& graph : graphs_) {
    const Operator* found = graph->Find(place.op);
    if (found != nullptr) return {graph.get(), found};
  }
  return {};
}

const GraphIndex& Linker::IndexOf(const Graph& graph) const {
  return indices_.try_emplace(&graph, graph).first->second;
}

// A gap between the numbers is an input that was not compared.
Indices Linker::AddDumpedInputs(const Place& place, Ingredients& out) const {
  Indices indices;
  const Group* group = RowsOf(place.op, place);
  if (group == nullptr) return indices;
  int32_t last = -1;
  for (const uint32_t row : *group) {
    if (places_[row].port != Port::kInput) continue;
    out.rows.push_back(row);
    indices.insert(places_[row].index);
    last = std::max(last, places_[row].index);
  }
  const bool numbered = !indices.contains(-1);
  out.complete = !numbered || indices.size() == static_cast<size_t>(last) + 1;
  return indices;
}

bool Linker::AddOutput(const Group& group, int32_t index,
                       Ingredients& out) const {
  const size_t before = out.rows.size();
  for (const uint32_t row : group) {
    const Place& p = places_[row];
    if (p.port == Port::kOutput && p.index == index) out.rows.push_back(row);
  }
  return out.rows.size() > before;
}

// Walks up from one edge to the nearest operators with rows.
void Linker::Follow(const GraphIndex& index, Edge edge, const Place& like,
                    Ingredients& out) const {
  const Graph& graph = index.graph();
  std::vector<Edge> todo = {edge};
  std::set<std::pair<uint32_t, int32_t>> seen;
  while (!todo.empty()) {
    const Edge at = todo.back();
    todo.pop_back();
    const std::string_view name = graph.Text(at.to.op);
    const Group* group = RowsOf(name, like);
    if (group != nullptr && AddOutput(*group, at.to.index, out)) continue;
    const auto found = index.Find(at.part, at.to.op);
    if (!found) {
      out.complete = false;
      continue;
    }
    const Operator& op = graph.operators[*found];
    const int32_t output = op.subgraphs.empty() ? 0 : at.to.index;
    const std::string_view type = graph.Text(op.type);
    if (!seen.emplace(*found, output).second || IsConstantType(type)) continue;
    const std::vector<Edge> before = EdgesBefore(index, op, at.to.index);
    todo.insert(todo.end(), before.begin(), before.end());
    const bool given = before.empty() && IsNetworkInput(type);
    if (before.empty() && !given) out.complete = false;
    const bool stays = IsPassThrough(type) || !op.subgraphs.empty() ||
                       (!before.empty() && before[0].part != op.part);
    const bool compared = !given && (before.empty() || stays);
    if (!compared &&
        std::ranges::find(out.through, name) == out.through.end()) {
      out.through.emplace_back(name);
    }
  }
}

// Of the inputs that were not dumped, or not compared. A device numbers those
// that are connected.
void Linker::AddProducers(const Place& place, const Indices& dumped,
                          Ingredients& out) const {
  const auto [graph, op] = Find(place);
  if (op == nullptr || dumped.contains(-1)) return;
  const GraphIndex& index = IndexOf(*graph);
  const bool compact = graph->kind != "onnx";
  out.complete = true;
  int32_t number = -1;
  for (const GraphEdge& input : op->inputs) {
    if (compact ? input.IsData() : true) ++number;
    if (!input.IsData() || dumped.contains(number)) continue;
    if (out.is_input && place.index != number) continue;
    out.traced = !out.is_input;
    Follow(index, {op->part, input}, place, out);
  }
  std::sort(out.rows.begin(), out.rows.end());
  out.rows.erase(std::unique(out.rows.begin(), out.rows.end()), out.rows.end());
}

Ingredients Linker::Link(uint32_t row) const {
  const Place& place = places_[row];
  Ingredients out{.is_input = place.port == Port::kInput};
  if (place.port == Port::kNone) return out;
  Indices dumped;
  if (!out.is_input) dumped = AddDumpedInputs(place, out);
  AddProducers(place, dumped, out);
  std::erase(out.rows, row);  // a loop of the graph
  return out;
}

}  // namespace

Place PlaceOf(const Dump& dump, const TensorInfo& tensor) {
  const TensorId& id = tensor.id;
  return {.op = dump.names[id.op],
          .type = dump.names[id.type],
          .graph = dump.names[id.graph],
          .port = id.port,
          .phase = id.phase,
          .index = id.index,
          .rank = id.rank,
          .step = id.step,
          .call = id.call};
}

std::vector<Ingredients> LinkRows(std::span<const Place> places,
                                  const std::vector<bool>& wanted,
                                  const Dump& dump) {
  const Linker linker(places, dump);
  std::vector<Ingredients> out(places.size());
  for (uint32_t i = 0; i < places.size(); ++i) {
    if (wanted[i]) out[i] = linker.Link(i);
  }
  return out;
}

void LinkByContent(std::span<const Place> places,
                   std::span<const TensorFacts> facts,
                   const std::vector<bool>& wanted,
                   std::span<Ingredients> ingredients) {
  std::unordered_map<uint64_t, uint32_t> outputs;
  for (uint32_t i = 0; i < places.size(); ++i) {
    const bool usable = facts[i].measured && places[i].port == Port::kOutput;
    if (usable) outputs.emplace(facts[i].content, i);
  }
  for (uint32_t i = 0; i < places.size(); ++i) {
    Ingredients& out = ingredients[i];
    const bool open = wanted[i] && out.is_input && out.rows.empty();
    if (!open || !facts[i].measured) continue;
    const auto found = outputs.find(facts[i].content);
    if (found == outputs.end()) continue;
    // Another step or rank may hold the same numbers.
    const Place &a = places[i], &b = places[found->second];
    if (a.rank == b.rank && a.step == b.step) out.rows = {found->second};
  }
}

}  // namespace assay
