#include "pipeline/graph_index.h"

#include <fmt/format.h>

namespace assay {
namespace {

uint64_t Key(uint32_t part, NameId name) {
  return static_cast<uint64_t>(part) << 32 | name;
}

}  // namespace

GraphIndex::GraphIndex(const Graph& graph)
    : graph_(graph), uses_(graph.operators.size()) {
  for (uint32_t i = 0; i < graph.parts.size(); ++i) {
    parts_.emplace(graph.parts[i].name, i);
  }
  for (uint32_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    by_part_.emplace(Key(op.part, op.name), i);
    for (const NameId subgraph : op.subgraphs) callers_.emplace(subgraph, i);
  }
  for (uint32_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      const auto producer = Producer(op, k);
      if (!producer) continue;
      uses_[*producer].push_back(
          {i, static_cast<int32_t>(k), op.inputs[k].index});
    }
  }
}

std::optional<uint32_t> GraphIndex::Find(uint32_t part, NameId name) const {
  if (name == kNoName) return std::nullopt;
  const auto found = by_part_.find(Key(part, name));
  if (found != by_part_.end()) return found->second;
  const Operator* op = graph_.Find(name);
  if (op == nullptr) return std::nullopt;
  return static_cast<uint32_t>(op - graph_.operators.data());
}

std::optional<uint32_t> GraphIndex::Producer(const Operator& user,
                                             size_t input) const {
  return Find(user.part, user.inputs[input].op);
}

std::optional<uint32_t> GraphIndex::Caller(const Operator& op) const {
  if (op.part >= graph_.parts.size()) return std::nullopt;
  const auto found = callers_.find(graph_.parts[op.part].name);
  if (found == callers_.end()) return std::nullopt;
  return found->second;
}

std::optional<uint32_t> GraphIndex::Results(NameId subgraph) const {
  const auto part = parts_.find(subgraph);
  const NameId name =
      graph_.names.Find(fmt::format("{}_Node_Output", graph_.Text(subgraph)));
  if (part == parts_.end() || name == kNoName) return std::nullopt;
  const auto op = by_part_.find(Key(part->second, name));
  if (op == by_part_.end()) return std::nullopt;
  return op->second;
}

}  // namespace assay
