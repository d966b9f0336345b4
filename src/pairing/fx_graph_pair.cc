#include "pairing/fx_graph_pair.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "core/layout.h"
#include "pairing/op_split.h"

namespace assay {
namespace {

std::optional<uint64_t> Elements(const StoredTensor& t) {
  if (t.dtype == DType::kOpaque || t.summary) return std::nullopt;
  if (IsPacked(t.layout) && !t.original) return std::nullopt;
  return ElementCount(t.original ? *t.original : t.shape);
}

bool IsCastLike(std::string_view type) {
  return type.find("Cast") != std::string_view::npos ||
         type.find("TransData") != std::string_view::npos;
}

}  // namespace

void FxGraphPair::Run(const GraphGroup& mine, const GraphGroup& theirs) {
  std::vector<std::string_view> dumped;
  for (const auto& [step, table] : mine.steps) {
    for (const OpTensors& op : table.all()) {
      dumped.push_back(target_.names[op.op]);
    }
  }
  const OpSplit split(graph_, dumped);
  for (const auto& [step, table] : mine.steps) {
    fx_ = theirs.At(step);
    for (const OpTensors& op : table.all()) {
      const auto [plan, fresh] = plans_.try_emplace(op.op);
      if (fresh) {
        plan->second = MakeFxPlan(graph_, split.Members(target_.names[op.op]),
                                  golden_.names);
      }
      PairOperator(op, plan->second, step);
    }
  }
}

const OpTensors* FxGraphPair::Find(const FxNode& node) const {
  return fx_ == nullptr || node.op == kNoName ? nullptr
                                              : fx_->Find(node.op, node.target);
}

void FxGraphPair::SayAll(const OpTensors& op, std::string_view why) {
  for (const auto* list : {&op.inputs, &op.outputs, &op.whole}) {
    for (const uint32_t t : *list) out_.SayTarget(t, why);
  }
}

void FxGraphPair::PairOperator(const OpTensors& op, const FxPlan& plan,
                               int32_t step) {
  if (fx_ == nullptr) {
    return SayAll(op,
                  fmt::format("the golden has no step {} of this graph", step));
  }
  if (plan.members.empty()) return SayNotInGraph(op);
  if (plan.inputs.empty() && plan.outputs.empty()) {
    return SayAll(op, fmt::format("the graph names no FX tensor for '{}'",
                                  plan.members.front()));
  }
  PairInputs(op, plan);
  PairOutputs(op, plan);
  for (const FxNode& node : plan.inner) SayInner(Find(node));
}

// What is computed inside a fused operator is nowhere to be seen.
void FxGraphPair::SayInner(const OpTensors* fx) {
  if (fx == nullptr) return;
  for (const auto* list : {&fx->inputs, &fx->outputs}) {
    for (const uint32_t g : *list) {
      out_.SayGolden(g, "inside an operator that the target fused");
    }
  }
}

// The compiler put it in; a change of type or layout leaves the values, so what
// it was given is what it must give.
void FxGraphPair::SayNotInGraph(const OpTensors& op) {
  if (IsCastLike(target_.names[op.type])) {
    const size_t both = std::min(op.inputs.size(), op.outputs.size());
    for (size_t i = 0; i < both; ++i) {
      out_.AddOwn(op.inputs[i], op.outputs[i]);
    }
  }
  SayAll(op, "the graph has no operator of this name");
}

void FxGraphPair::PairInputs(const OpTensors& op, const FxPlan& plan) {
  std::vector<const FxNode*> found;
  for (const FxNode& node : plan.inputs) {
    if (Find(node) != nullptr) found.push_back(&node);
  }
  if (found.empty()) return SayInputsMissing(op, plan);
  // The tags of one operator name one node, as a rule.
  if (!plan.fused()) found.erase(found.begin(), found.end() - 1);
  for (const FxNode* node : found) {
    ZipInputs(op, *node, *Find(*node), plan);
  }
}

void FxGraphPair::SayInputsMissing(const OpTensors& op, const FxPlan& plan) {
  const std::string why =
      plan.inputs.empty()
          ? fmt::format("the graph names no FX tensor for '{}'",
                        plan.members.front())
          : fmt::format("FX node '{}' was not dumped", plan.inputs.back().text);
  for (const uint32_t t : op.inputs) out_.SayTarget(t, why);
}

void FxGraphPair::ZipInputs(const OpTensors& op, const FxNode& node,
                            const OpTensors& fx, const FxPlan& plan) {
  const size_t both = std::min(fx.inputs.size(), op.inputs.size());
  for (size_t k = 0; k < both; ++k) {
    PairInput(fx.inputs[k], op.inputs[k], k, node, plan);
  }
  for (size_t k = both; k < op.inputs.size(); ++k) {
    out_.SayTarget(op.inputs[k],
                   fmt::format("FX node '{}' has only {}", node.text,
                               Counted(fx.inputs.size(), "argument")));
  }
  for (size_t k = both; k < fx.inputs.size(); ++k) {
    out_.SayGolden(fx.inputs[k],
                   fmt::format("'{}' has only {}", target_.names[op.op],
                               Counted(both, "input")));
  }
}

// Nothing but the place says that these two are the same tensor. An argument
// that is no tensor, or one of another size, is not.
void FxGraphPair::PairInput(uint32_t g, uint32_t t, size_t k,
                            const FxNode& node, const FxPlan& plan) {
  const TensorInfo &a = golden_.tensors[g], &b = target_.tensors[t];
  std::string why;
  if (a.stored.dtype == DType::kOpaque && !a.error()) {
    why = fmt::format("argument {} of FX node '{}' is no tensor", k, node.text);
  } else if (const auto x = Elements(a.stored), y = Elements(b.stored);
             x && y && *x != *y) {
    why = fmt::format(
        "argument {} of FX node '{}' has {}, input {} of '{}' has {}: not "
        "the same tensor",
        k, node.text, Counted(*x, "element"), k, target_.names[b.id.op],
        Counted(*y, "element"));
  }
  if (!why.empty()) {
    out_.SayGolden(g, why);
    out_.SayTarget(t, why);
    return;
  }
  out_.Add(g, t,
           plan.fused()
               ? fmt::format("input {} of '{}', the first operator in it", k,
                             node.text)
               : fmt::format("input {} of FX node '{}'", k, node.text));
}

void FxGraphPair::PairOutputs(const OpTensors& op, const FxPlan& plan) {
  std::vector<bool> done(op.outputs.size());
  std::vector<uint32_t> used;  // FX tensors
  const FxNode* node = nullptr;
  for (const FxTag& tag : plan.outputs) {
    if (Find(tag.node) != nullptr) node = &tag.node;
    PairTagged(op, tag, done, used);
  }
  if (node != nullptr) return ZipOutputs(op, *node, done, used);
  if (plan.outputs.empty()) {
    SayOutputs(op, fmt::format("the graph names no FX tensor for '{}'",
                               plan.members.back()));
  }
}

void FxGraphPair::SayOutputs(const OpTensors& op, std::string_view why) {
  for (const uint32_t t : op.outputs) out_.SayTarget(t, why);
  for (const uint32_t t : op.whole) out_.SayTarget(t, why);
}

// An unreadable file stands for any output.
void FxGraphPair::PairTagged(const OpTensors& op, const FxTag& tag,
                             std::vector<bool>& done,
                             std::vector<uint32_t>& used) {
  const auto has = [](const Dump& dump, int32_t index) {
    return [&dump, index](uint32_t i) {
      return dump.tensors[i].id.index == index;
    };
  };
  const OpTensors* fx = Find(tag.node);
  const auto mine = std::ranges::find_if(op.outputs, has(target_, tag.output));
  const bool whole = mine == op.outputs.end() && !op.whole.empty();
  if (mine == op.outputs.end() && !whole) return;
  const uint32_t t = whole ? op.whole.front() : *mine;
  if (fx == nullptr) {
    return out_.SayTarget(
        t, fmt::format("FX node '{}' was not dumped", tag.node.text));
  }
  const auto theirs =
      std::ranges::find_if(fx->outputs, has(golden_, tag.index));
  if (theirs == fx->outputs.end()) {
    return out_.SayTarget(
        t, fmt::format("FX node '{}' was dumped without output {}",
                       tag.node.text, tag.index));
  }
  if (!whole) done[static_cast<size_t>(mine - op.outputs.begin())] = true;
  used.push_back(*theirs);
  out_.Add(*theirs, t,
           fmt::format("the graph says it is {}.OUTPUT.{}", tag.node.text,
                       tag.index));
}

// Outputs without a tag go by their place, where that is free.
void FxGraphPair::ZipOutputs(const OpTensors& op, const FxNode& node,
                             const std::vector<bool>& done,
                             const std::vector<uint32_t>& used) {
  const OpTensors& fx = *Find(node);
  for (size_t k = 0; k < op.outputs.size(); ++k) {
    if (done[k]) continue;
    const bool free = k < fx.outputs.size() &&
                      std::ranges::find(used, fx.outputs[k]) == used.end();
    if (free) {
      out_.Add(fx.outputs[k], op.outputs[k],
               fmt::format("output {} of FX node '{}'", k, node.text));
    } else {
      out_.SayTarget(
          op.outputs[k],
          fmt::format("FX node '{}' has no output for it", node.text));
    }
  }
}

}  // namespace assay
