#include "pipeline/name_by_onnx.h"

#include <optional>
#include <unordered_map>

#include "pairing/names.h"

namespace assay {
namespace {

struct Place {
  const Operator* op;
  int32_t index;
};

class Places {
 public:
  explicit Places(const Graph& graph) {
    for (const Operator& op : graph.operators) {
      by_node_.emplace(Normalised(graph.Text(op.name)), &op);
      for (size_t i = 0; i < op.output_tensors.size(); ++i) {
        const std::string_view name = graph.Text(op.output_tensors[i].name);
        if (name.empty()) continue;
        by_tensor_.emplace(Normalised(name),
                           Place{&op, static_cast<int32_t>(i)});
      }
    }
  }

  // By the node and the output where the dump says them and the graph has them;
  // else by the tensor's name.
  std::optional<Place> Find(const Dump& dump, const TensorInfo& t) const {
    const auto whole = by_tensor_.find(Normalised(dump.NameOf(t)));
    if (t.id.port == Port::kInput && whole == by_tensor_.end()) {
      return std::nullopt;
    }
    const auto tensor = by_tensor_.find(Normalised(dump.names[t.id.op]));
    if (t.id.port == Port::kOutput && t.id.index >= 0) {
      const auto node = by_node_.find(Normalised(dump.names[t.id.op]));
      const auto k = static_cast<size_t>(t.id.index);
      if (node != by_node_.end() && k < node->second->output_tensors.size()) {
        return Place{node->second, t.id.index};
      }
    }
    if (whole != by_tensor_.end()) return whole->second;
    if (tensor == by_tensor_.end()) return std::nullopt;
    return tensor->second;
  }

 private:
  std::unordered_map<std::string, const Operator*> by_node_;
  std::unordered_map<std::string, Place> by_tensor_;
};

}  // namespace

void NameByOnnx(const Graph& graph, Dump& dump) {
  const Places places(graph);
  for (TensorInfo& t : dump.tensors) {
    const auto place = places.Find(dump, t);
    if (!place) continue;
    t.id.op = dump.names.Intern(graph.Text(place->op->name));
    t.id.type = dump.names.Intern(graph.Text(place->op->type));
    t.id.port = Port::kOutput;
    t.id.index = place->index;
    t.id.order = place->op - graph.operators.data();
    t.id.order_from = OrderFrom::kGraph;
  }
}

}  // namespace assay
