#include "pairing/fx_plan.h"

#include <algorithm>
#include <charconv>

namespace assay {
namespace {

FxNode MakeNode(std::string_view text, const NamePool& golden) {
  FxNode node{.text = std::string(text)};
  const size_t dash = text.find('-');
  if (dash == std::string_view::npos) return node;
  node.op = golden.Find(text.substr(0, dash));
  node.target = golden.Find(text.substr(dash + 1));
  if (node.op == kNoName || node.target == kNoName) {
    node.op = node.target = kNoName;
  }
  return node;
}

FxTag ParseTag(std::string_view text, const NamePool& golden) {
  constexpr std::string_view kMark = ".OUTPUT.";
  FxTag tag;
  const size_t at = text.rfind(kMark);
  tag.node = MakeNode(text.substr(0, at), golden);
  if (at == std::string_view::npos) return tag;
  const std::string_view digits = text.substr(at + kMark.size());
  std::from_chars(digits.data(), digits.data() + digits.size(), tag.index);
  return tag;
}

std::vector<FxNode> NodesOf(const std::vector<FxTag>& tags) {
  std::vector<FxNode> nodes;
  for (const FxTag& tag : tags) {
    if (std::ranges::find(nodes, tag.node) == nodes.end()) {
      nodes.push_back(tag.node);
    }
  }
  return nodes;
}

}  // namespace

std::vector<FxTag> TagsOf(const Graph& graph, const Operator& op,
                          const NamePool& golden) {
  std::vector<FxTag> tags;
  for (size_t k = 0; k < op.output_tensors.size(); ++k) {
    const NameId fx = op.output_tensors[k].fx;
    if (fx == kNoName) continue;
    tags.push_back(ParseTag(graph.Text(fx), golden));
    tags.back().output = static_cast<int32_t>(k);
  }
  return tags;
}

FxPlan MakeFxPlan(const Graph& graph,
                  const std::vector<const Operator*>& members,
                  const NamePool& golden) {
  FxPlan plan;
  for (const Operator* op : members) {
    plan.members.emplace_back(graph.Text(op->name));
  }
  if (members.empty()) return plan;
  plan.inputs = NodesOf(TagsOf(graph, *members.front(), golden));
  plan.outputs = TagsOf(graph, *members.back(), golden);
  for (const Operator* op : members) {
    if (!plan.fused()) break;
    for (FxNode& node : NodesOf(TagsOf(graph, *op, golden))) {
      plan.inner.push_back(std::move(node));
    }
  }
  return plan;
}

}  // namespace assay
