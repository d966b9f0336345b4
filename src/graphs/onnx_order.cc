#include "graphs/onnx_order.h"

#include <fmt/format.h>

#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace assay::onnx {
namespace {

using NameSet = std::unordered_set<NameId>;

// What the part and those inside it take from around the part.
void AddOuter(const Model& model, uint32_t number, std::vector<NameId>& needs) {
  const Part& part = model.parts[number];
  NameSet own;
  for (const auto* list : {&part.inputs, &part.initializers}) {
    for (const Value& value : *list) own.insert(value.name);
  }
  for (const Node& node : part.nodes) {
    own.insert(node.outputs.begin(), node.outputs.end());
  }
  std::vector<NameId> inner;
  for (const Node& node : part.nodes) {
    inner.insert(inner.end(), node.inputs.begin(), node.inputs.end());
    for (const uint32_t sub : node.subgraphs) AddOuter(model, sub, inner);
  }
  for (const Value& output : part.outputs) inner.push_back(output.name);
  for (const NameId name : inner) {
    if (name != kNoName && !own.contains(name)) needs.push_back(name);
  }
}

// Counts down what each node still waits for.
class Sorter {
 public:
  explicit Sorter(const Model& model)
      : model_(model), nodes_(model.parts[0].nodes) {
    const Part& graph = model.parts[0];
    for (const auto* list : {&graph.inputs, &graph.initializers}) {
      for (const Value& value : *list) given_.insert(value.name);
    }
  }

  Result<std::vector<uint32_t>> Sort() {
    waits_.assign(nodes_.size(), 0);
    for (uint32_t i = 0; i < nodes_.size(); ++i) RETURN_IF_ERROR(NoteMaker(i));
    for (uint32_t i = 0; i < nodes_.size(); ++i) RETURN_IF_ERROR(Expect(i));
    // The smallest number first: a file in order keeps its order.
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
    for (uint32_t i = 0; i < nodes_.size(); ++i) {
      if (waits_[i] == 0) ready.push(i);
    }
    std::vector<uint32_t> order;
    while (!ready.empty()) {
      const uint32_t node = ready.top();
      ready.pop();
      order.push_back(node);
      for (const uint32_t user : users_[node]) {
        if (--waits_[user] == 0) ready.push(user);
      }
    }
    if (order.size() == nodes_.size()) return order;
    return Cycle();
  }

 private:
  static Error At(const Node& node, Error error) {
    error.offset = node.span.begin;
    return error;
  }

  Status NoteMaker(uint32_t node) {
    for (const NameId name : nodes_[node].outputs) {
      if (name == kNoName) continue;
      const bool is_new = makers_.emplace(name, node).second;
      if (is_new && !given_.contains(name)) continue;
      // Runtimes take the same constant twice, and nothing else.
      if (model_.names[nodes_[node].type] == "Constant") continue;
      return At(nodes_[node],
                Corrupt("{} makes '{}', which is there already",
                        NodeText(model_, nodes_[node]), model_.names[name])
                    .Hint("each tensor of a graph is made once"));
    }
    return Done{};
  }

  Status Expect(uint32_t node) {
    for (const NameId name : NeedsOf(model_, nodes_[node])) {
      if (given_.contains(name)) continue;
      const auto maker = makers_.find(name);
      if (maker == makers_.end()) {
        return At(
            nodes_[node],
            Corrupt("{} needs '{}', which nothing makes",
                    NodeText(model_, nodes_[node]), model_.names[name])
                .Hint("it is no input, no initializer and no node's output"));
      }
      users_[maker->second].push_back(node);
      ++waits_[node];
    }
    return Done{};
  }

  // An input of a node that waits, which a node makes that waits itself.
  NameId StuckInput(uint32_t node) const {
    for (const NameId name : NeedsOf(model_, nodes_[node])) {
      if (given_.contains(name)) continue;
      if (waits_[makers_.at(name)] > 0) return name;
    }
    return kNoName;
  }

  // Nodes behind a cycle wait too: going back from any of them ends in it.
  Error Cycle() const {
    uint32_t node = 0;
    while (waits_[node] == 0) ++node;
    std::unordered_set<uint32_t> seen;
    while (seen.insert(node).second) node = makers_.at(StuckInput(node));
    return At(nodes_[node],
              Corrupt("{} waits for its own output by its input '{}': the "
                      "graph has a cycle",
                      NodeText(model_, nodes_[node]),
                      model_.names[StuckInput(node)]));
  }

  const Model& model_;
  const std::vector<Node>& nodes_;
  std::unordered_map<NameId, uint32_t> makers_;
  NameSet given_;
  std::vector<uint32_t> waits_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> users_;
};

}  // namespace

std::vector<NameId> NeedsOf(const Model& model, const Node& node) {
  std::vector<NameId> needs;
  for (const NameId name : node.inputs) {
    if (name != kNoName) needs.push_back(name);
  }
  for (const uint32_t part : node.subgraphs) AddOuter(model, part, needs);
  return needs;
}

std::string NodeText(const Model& model, const Node& node) {
  NameId name = node.name;
  for (const NameId output : node.outputs) {
    if (name == kNoName) name = output;
  }
  return fmt::format("{} '{}'", model.names[node.type], model.names[name]);
}

Result<std::vector<uint32_t>> RunOrder(const Model& model) {
  return Sorter(model).Sort();
}

}  // namespace assay::onnx
