#include "pipeline/large_weights.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "advice/row_facts.h"
#include "graphs/onnx_file.h"
#include "graphs/onnx_values.h"
#include "judge/type_floor.h"

namespace assay {
namespace {

// The models of one side, opened when the first row asks.
class Weights {
 public:
  explicit Weights(const Dump& dump) : dump_(dump) {}

  // A weight of the operator beyond the limit.
  std::optional<LargeWeight> Beyond(std::string_view op, double limit) {
    if (!opened_) Open();
    for (const auto& [graph, file] : files_) {
      const Operator* found = graph->Find(op);
      if (found == nullptr) continue;
      for (const onnx::Node& node : file.graph().nodes) {
        if (node.span.begin == found->at) return Of(file, node, limit);
      }
    }
    return std::nullopt;
  }

 private:
  void Open() {
    opened_ = true;
    for (const auto& graph : dump_.graphs) {
      if (graph->kind != "onnx") continue;
      auto file = onnx::OnnxFile::Open(graph->file);
      if (file) files_.emplace_back(graph.get(), *std::move(file));
    }
  }

  static const onnx::Value* Constant(const onnx::OnnxFile& file, NameId name) {
    const auto& initializers = file.graph().initializers;
    const auto at = std::ranges::find(initializers, name, &onnx::Value::name);
    if (at != initializers.end()) return &*at;
    const onnx::Node* maker = file.MakerOf(name);
    if (maker == nullptr || file.Text(maker->type) != "Constant") {
      return nullptr;
    }
    for (const onnx::Attribute& attribute : maker->attributes) {
      if (attribute.tensor) return attribute.tensor.get();
    }
    return nullptr;
  }

  static std::optional<LargeWeight> Of(const onnx::OnnxFile& file,
                                       const onnx::Node& node, double limit) {
    for (const NameId input : node.inputs) {
      const onnx::Value* value = Constant(file, input);
      if (value == nullptr) continue;
      double largest = 0;
      for (const double number : onnx::SmallNumbers(*value)) {
        largest = std::max(largest, std::fabs(number));
      }
      if (largest > limit) {
        return LargeWeight{.name = std::string(file.Text(input)),
                           .largest = largest};
      }
    }
    return std::nullopt;
  }

  const Dump& dump_;
  bool opened_ = false;
  std::vector<std::pair<const Graph*, onnx::OnnxFile>> files_;
};

std::string_view OpOf(const Dump& dump, uint32_t tensor) {
  return dump.names[dump.tensors[tensor].id.op];
}

}  // namespace

void NoteLargeWeights(const Dump& golden, const Dump& target,
                      std::span<Planned* const> owners,
                      std::span<const Measured> measured) {
  Weights ours(golden), theirs(target);
  for (size_t i = 0; i < owners.size(); ++i) {
    Planned& p = *owners[i];
    if (p.row.cause != Cause::kOrigin || p.BySummary()) continue;
    const DType type =
        CoarsestRounding(p.job->golden.dtype(), p.job->target.dtype(),
                         measured[i].stats)
            .type;
    const auto limit = LargestOf(type);
    if (!limit || Info(type).kind != DKind::kFloat) continue;
    auto weight = ours.Beyond(
        OpOf(p.golden_is_target ? target : golden, p.golden), *limit);
    if (!weight) weight = theirs.Beyond(OpOf(target, p.target), *limit);
    if (!weight) continue;
    weight->dtype = Name(type);
    weight->limit = *limit;
    p.row.weight = std::make_shared<const LargeWeight>(*std::move(weight));
  }
}

}  // namespace assay
