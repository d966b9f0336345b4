#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/dump.h"
#include "core/graph.h"

namespace assay {

// An FX node, in the names of the golden dump: both kNoName if it was not
// dumped at all.
struct FxNode {
  NameId op = kNoName, target = kNoName;
  std::string text;  // "add_1-aten.add.Tensor"
  bool operator==(const FxNode& other) const { return text == other.text; }
};

// "add_1-aten.add.Tensor.OUTPUT.0": output `index` of a node.
struct FxTag {
  FxNode node;
  int32_t index = -1;   // of the node's outputs
  int32_t output = -1;  // of the operator's outputs
};
// The tags of an operator's outputs.
std::vector<FxTag> TagsOf(const Graph& graph, const Operator& op,
                          const NamePool& golden);

// What a dumped operator is compared with, whatever the token.
struct FxPlan {
  std::vector<std::string> members;  // operators of the graph in its name
  std::vector<FxNode> inputs;        // nodes whose inputs are its inputs
  std::vector<FxTag> outputs;
  std::vector<FxNode> inner;  // all nodes that a fused operator holds
  bool fused() const { return members.size() > 1; }
};
FxPlan MakeFxPlan(const Graph& graph,
                  const std::vector<const Operator*>& members,
                  const NamePool& golden);

}  // namespace assay
