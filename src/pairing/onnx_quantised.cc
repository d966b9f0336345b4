#include "pairing/onnx_quantised.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "pairing/names.h"

namespace assay {
namespace {

const GraphTensor* TensorOf(const Graph* graph, const Dump& dump,
                            const TensorInfo& t) {
  if (graph == nullptr || t.id.port != Port::kOutput) return nullptr;
  const Operator* op = graph->Find(dump.names[t.id.op]);
  const auto index = static_cast<size_t>(t.id.index);
  if (op == nullptr || index >= op->output_tensors.size()) return nullptr;
  return &op->output_tensors[index];
}

std::shared_ptr<const ViewHints> HintsOf(const GraphTensor* tensor) {
  if (tensor == nullptr || !tensor->grid) return nullptr;
  return std::make_shared<const ViewHints>(ViewHints{.grid = tensor->grid});
}

// Tensors that hold the same numbers but for rounding, of one graph.
class Equals {
 public:
  explicit Equals(const Graph& graph) {
    for (const Operator& op : graph.operators) {
      const std::string_view type = graph.Text(op.type);
      if (type != "QuantizeLinear" && type != "DequantizeLinear") continue;
      if (op.input_tensors.empty() || op.output_tensors.empty()) continue;
      Link(op.input_tensors[0].name, op.output_tensors[0].name);
    }
  }

  // The tensor itself first.
  std::vector<NameId> Of(NameId tensor) const {
    std::vector<NameId> out = {tensor};
    for (size_t i = 0; i < out.size(); ++i) {
      const auto found = links_.find(out[i]);
      if (found == links_.end()) continue;
      for (const NameId next : found->second) {
        if (std::ranges::count(out, next) == 0) out.push_back(next);
      }
    }
    return out;
  }

 private:
  void Link(NameId a, NameId b) {
    links_[a].push_back(b);
    links_[b].push_back(a);
  }

  std::unordered_map<NameId, std::vector<NameId>> links_;
};

class QuantPairer {
 public:
  QuantPairer(const QuantisedSides& sides, Pairing& pairing)
      : s_(sides), out_(pairing), equals_(*sides.target_graph) {
    for (uint32_t g = 0; g < s_.golden.tensors.size(); ++g) {
      golden_.emplace(GoldenKey(s_.golden.tensors[g]), g);
    }
  }

  void Run() {
    std::vector<Unpaired> rest;
    std::vector<bool> used(s_.golden.tensors.size());
    for (Unpaired& one : out_.target) {
      const auto g = one.skipped ? std::nullopt : Find(one.tensor);
      if (!g) {
        rest.push_back(std::move(one));
        continue;
      }
      used[*g] = true;
      // Golden's name stands for the float tensor and the integers alike.
      out_.named_by_target = true;
      Take(*g, one.tensor);
    }
    out_.target = std::move(rest);
    std::erase_if(out_.golden,
                  [&](const Unpaired& one) { return used[one.tensor]; });
  }

 private:
  static std::string Key(const TensorId& id, std::string_view name) {
    return fmt::format("{} {} {}", id.rank, id.step, Normalised(name));
  }
  std::string GoldenKey(const TensorInfo& t) const {
    // Without a model of its own it was named by the target's.
    const Graph* graph =
        s_.golden_graph != nullptr ? s_.golden_graph : s_.target_graph;
    const GraphTensor* tensor = TensorOf(graph, s_.golden, t);
    return Key(t.id, tensor != nullptr ? graph->Text(tensor->name)
                                       : s_.golden.NameOf(t));
  }

  // The golden tensor that holds the same numbers; floats alone can.
  std::optional<uint32_t> Find(uint32_t t) const {
    const TensorInfo& target = s_.target.tensors[t];
    const GraphTensor* tensor = TensorOf(s_.target_graph, s_.target, target);
    if (tensor == nullptr || !tensor->grid) return std::nullopt;
    for (const NameId name : equals_.Of(tensor->name)) {
      const auto g = FindNamed(target.id, s_.target_graph->Text(name));
      if (g) return g;
    }
    return std::nullopt;
  }
  // Tools that quantise operators call their results NAME_quantized.
  std::optional<uint32_t> FindNamed(const TensorId& id,
                                    std::string_view name) const {
    constexpr std::string_view kMark = "_quantized";
    auto found = golden_.find(Key(id, name));
    if (found == golden_.end() && name.ends_with(kMark)) {
      name.remove_suffix(kMark.size());
      found = golden_.find(Key(id, name));
    }
    if (found == golden_.end()) return std::nullopt;
    const DType type = s_.golden.tensors[found->second].stored.dtype;
    const bool floats = Info(type).kind == DKind::kFloat;
    return floats ? std::optional(found->second) : std::nullopt;
  }

  void Take(uint32_t g, uint32_t t) {
    const TensorInfo& target = s_.target.tensors[t];
    out_.pairs.push_back(
        {.golden = {g},
         .target = {t, nullptr},
         .why = std::make_shared<const std::string>(
             fmt::format("{} holds {}, quantised", s_.target.NameOf(target),
                         s_.golden.NameOf(s_.golden.tensors[g])))});
  }

  const QuantisedSides& s_;
  Pairing& out_;
  Equals equals_;
  std::unordered_map<std::string, uint32_t> golden_;
};

}  // namespace

void PairQuantised(const QuantisedSides& sides, Pairing& pairing) {
  if (sides.target_graph != nullptr) QuantPairer(sides, pairing).Run();
  for (Pair& pair : pairing.pairs) {
    const auto hints = [](const Graph* graph, const Dump& dump, View& view) {
      view.hints = HintsOf(TensorOf(graph, dump, dump.tensors[view.tensor]));
    };
    hints(sides.golden_graph, sides.golden, pair.golden);
    hints(sides.target_graph, sides.target, pair.target);
  }
}

}  // namespace assay
