#include "pairing/fusion_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "pairing/names.h"
#include "pairing/quant_scales.h"
#include "pairing/quantised_names.h"

namespace assay {
namespace {

// "conv_lxslice3" and "conv" are one operator, cut into threads.
std::string WithoutSlices(std::string_view name) {
  constexpr std::string_view kSlice = "_lxslice";
  std::string text(name);
  for (size_t at = 0; (at = text.find(kSlice, at)) != std::string::npos;) {
    size_t end = at + kSlice.size();
    while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
    if (end == at + kSlice.size()) {
      at = end;
    } else {
      text.erase(at, end - at);
    }
  }
  return text;
}

// Tensors that the graph says nothing of do not count, and the others move up.
std::vector<RuleTensor> OutputsOf(const Graph& graph, const Operator& op) {
  std::vector<RuleTensor> out;
  for (size_t i = 0; i < op.output_tensors.size(); ++i) {
    const GraphTensor& t = op.output_tensors[i];
    if (!t.has_attrs) continue;
    out.push_back({.origin = std::string(graph.Text(t.origin)),
                   .index = t.origin_index >= 0 ? t.origin_index
                                                : static_cast<int32_t>(i),
                   .layout = std::string(graph.Text(t.origin_layout)),
                   .shape = t.origin_shape,
                   .dtype = std::string(graph.Text(t.dtype))});
  }
  return out;
}

std::vector<std::string> OriginalsOf(const Graph& graph, const Operator& op) {
  std::vector<std::string> out;
  for (const NameId id : *op.originals) out.emplace_back(graph.Text(id));
  if (out.empty()) out.emplace_back();
  return out;
}

// An operator of whose tensors nothing is said stands for all of its origin's.
void NameOrigins(const std::string& origin, std::vector<RuleTensor>& outputs) {
  for (RuleTensor& t : outputs) {
    if (t.origin.empty()) t.origin = origin;
  }
  if (outputs.empty()) outputs.push_back({.origin = origin});
}

RuleOp MakeOp(const Graph& graph, const Operator& op) {
  RuleOp out{.name = WithoutSlices(graph.Text(op.name)),
             .type = std::string(graph.Text(op.type)),
             .id = op.id,
             .outputs = OutputsOf(graph, op),
             .l1 = std::string(graph.Text(op.l1)),
             .grid = ScalesOf(graph, op),
             .multi_op = op.multi_op,
             .handed_in = op.parent_input >= 0};
  for (const GraphEdge& edge : op.inputs) {
    if (!edge.IsData()) continue;
    out.inputs.emplace_back(WithoutSlices(graph.Text(edge.op)), edge.index);
  }
  if (op.originals) {
    out.originals = OriginalsOf(graph, op);
    return out;
  }
  out.originals = {out.name};
  NameOrigins(out.name, out.outputs);
  return out;
}

std::string GroupKey(const RuleOp& op, bool by_l1) {
  if (by_l1 && !op.l1.empty()) return "L1 " + op.l1;
  if (op.originals.size() > 1) {
    return fmt::format("many {}", fmt::join(op.originals, ""));
  }
  return op.originals[0].empty() ? op.name : op.originals[0];
}

bool IsTransparent(const RuleOp& op) {
  return op.type == "Cast" || op.type == "TransData";
}

}  // namespace

FusionRule::FusionRule(const Graph& graph) {
  ops_.reserve(graph.operators.size());
  for (const Operator& op : graph.operators) ops_.push_back(MakeOp(graph, op));
  std::vector<uint32_t> order(ops_.size());
  std::iota(order.begin(), order.end(), 0);
  Group(order, /*by_l1=*/true);
  RepairRenamed(graph);
  IndexNames();
  MarkInBetween();
}

// A second operator of one name in a group is the first one again.
void FusionRule::Group(const std::vector<uint32_t>& order, bool by_l1) {
  groups_.clear();
  std::unordered_map<std::string, uint32_t> by_key;
  for (const uint32_t i : order) {
    const auto [found, is_new] = by_key.emplace(
        GroupKey(ops_[i], by_l1), static_cast<uint32_t>(groups_.size()));
    if (is_new) groups_.push_back({.key = found->first});
    RuleGroup& group = groups_[found->second];
    ops_[i].group = found->second;
    const auto same = [&](uint32_t other) {
      return ops_[other].name == ops_[i].name;
    };
    if (std::none_of(group.ops.begin(), group.ops.end(), same)) {
      group.ops.push_back(i);
    }
  }
}

// One operator for one original: it is that original under another name. A
// subgraph that comes later does not change that.
void FusionRule::RepairRenamed(const Graph& graph) {
  const auto part = [&](uint32_t i) { return graph.operators[i].part; };
  for (const RuleGroup& group : groups_) {
    const auto& members = group.ops;
    if (members.size() > 1 && part(members[1]) == part(members[0])) continue;
    RuleOp& op = ops_[members[0]];
    if (op.originals.size() == 1 && op.originals[0] == group.key) {
      NameOrigins(group.key, op.outputs);
    }
  }
}

void FusionRule::IndexNames() {
  by_name_.clear();
  by_dump_name_.clear();
  by_original_.clear();
  for (uint32_t i = 0; i < ops_.size(); ++i) {
    by_name_.emplace(ops_[i].name, i);
    by_dump_name_.emplace(Normalised(ops_[i].name), i);
    for (const std::string& original : ops_[i].originals) {
      if (!original.empty()) by_original_[original] = i;  // the last one counts
    }
  }
}

const RuleOp* FusionRule::FindDumped(std::string_view normalised) const {
  const auto found = by_dump_name_.find(std::string(normalised));
  return found == by_dump_name_.end() ? nullptr : &ops_[found->second];
}

const RuleOp* FusionRule::Find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &ops_[found->second];
}

std::string_view FusionRule::FusedInto(std::string_view original) const {
  const auto found = by_original_.find(original);
  if (found == by_original_.end()) return {};
  return ops_[found->second].name;
}

// Operators that compute on quantised values have nothing to be compared with.
void FusionRule::MarkInBetween() {
  std::vector<uint32_t> order(ops_.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return ops_[a].id < ops_[b].id;
  });
  std::vector<std::vector<bool>> quantised(ops_.size());
  for (const uint32_t i : order) {
    RuleOp& op = ops_[i];
    const auto from_quantised = [&](const auto& input) {
      const auto found = by_name_.find(input.first);
      if (found == by_name_.end()) return false;
      const auto& outputs = quantised[found->second];
      const auto k = static_cast<size_t>(input.second);
      return k < outputs.size() && outputs[k];
    };
    const bool fed =
        std::any_of(op.inputs.begin(), op.inputs.end(), from_quantised);
    const bool ends =
        !op.outputs.empty() &&
        std::all_of(op.outputs.begin(), op.outputs.end(),
                    [&](const RuleTensor& t) { return IsDequantised(op, t); });
    op.in_between = fed && !ends;
    for (const RuleTensor& t : op.outputs) {
      quantised[i].push_back(op.in_between || (!fed && IsQuantised(op, t)));
    }
  }
}

std::optional<FusionRule::Place> FusionRule::Producer(
    const RuleOp& op, int32_t input, std::string& why_not) const {
  if (input < 0 || static_cast<size_t>(input) >= op.inputs.size()) {
    why_not = fmt::format("the graph knows {} of {}, not input {}",
                          Counted(op.inputs.size(), "input"), op.name, input);
    return std::nullopt;
  }
  const auto& [name, index] = op.inputs[static_cast<size_t>(input)];
  const RuleOp* producer = Find(name);
  if (producer == nullptr) {
    why_not = fmt::format("its producer {} is not in the graph", name);
    return std::nullopt;
  }
  return Place{producer, index};
}

FusionRule::Answer FusionRule::Walk(Place at) const {
  Answer answer;
  for (size_t steps = 0; IsTransparent(*at.op); ++steps) {
    const auto before = Producer(*at.op, at.index, answer.why_not);
    if (!before) return answer;
    if (steps == ops_.size()) {
      answer.why_not = fmt::format("{} is in a circle", at.op->name);
      return answer;
    }
    answer.through += (answer.through.empty() ? "" : ", ") + at.op->name;
    at = *before;
  }
  const auto& outputs = at.op->outputs;
  const auto k = static_cast<size_t>(at.index);
  if (outputs.empty()) {
    answer.why_not =
        fmt::format("the graph says nothing of the outputs of {}", at.op->name);
    return answer;
  }
  const RuleTensor& tensor = outputs[k < outputs.size() ? k : 0];
  if (tensor.origin.empty()) {
    answer.why_not = fmt::format(
        "output {} of {} is no tensor of the framework", at.index, at.op->name);
    return answer;
  }
  answer.tensor = &tensor;
  answer.name = tensor.origin;
  if (!at.op->handed_in) answer.type = at.op->type;
  answer.index = tensor.index >= 0 ? tensor.index : at.index;
  return answer;
}

FusionRule::Answer FusionRule::Output(const RuleOp& op, int32_t index) const {
  return Walk({&op, index});
}

FusionRule::Answer FusionRule::Input(const RuleOp& op, int32_t index) const {
  Answer answer;
  const auto producer = Producer(op, index, answer.why_not);
  return producer ? Walk(*producer) : answer;
}

}  // namespace assay
