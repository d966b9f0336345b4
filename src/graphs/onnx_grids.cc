#include "graphs/onnx_grids.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "base/parse_number.h"
#include "graphs/onnx_values.h"

namespace assay::onnx {
namespace {

using GridRef = std::shared_ptr<const QuantGrid>;

// Which inputs of an operator are the scale and the zero point of its output.
struct ScaleInputs {
  std::string_view type;
  size_t scale, zero;
};
constexpr ScaleInputs kScaleInputs[] = {
    {"QuantizeLinear", 1, 2},
    {"DequantizeLinear", 1, 2},
    {"QLinearConv", 6, 7},
    {"QLinearMatMul", 6, 7},
    // Of onnxruntime's own set.
    {"QLinearAdd", 6, 7},
    {"QLinearMul", 6, 7},
    {"QGemm", 7, 8},
    {"QLinearSigmoid", 3, 4},
    {"QLinearLeakyRelu", 3, 4},
    {"QLinearSoftmax", 3, 4},
    {"QLinearAveragePool", 3, 4},
    {"QLinearGlobalAveragePool", 3, 4},
    {"QLinearConcat", 0, 1},
};

// Operators that move numbers and change none.
constexpr std::string_view kMovers[] = {
    "DepthToSpace", "Expand",  "Flatten",   "Gather",       "Identity",
    "MaxPool",      "Reshape", "Slice",     "SpaceToDepth", "Split",
    "Squeeze",      "Tile",    "Transpose", "Unsqueeze"};

class GridFinder {
 public:
  GridFinder(const Model& model, Graph& graph) : model_(model), graph_(graph) {
    values_.resize(model.parts.size());
    grids_.resize(model.parts.size());
  }

  void Run() {
    for (size_t i = 0; i < model_.parts.size(); ++i) NoteValues(i);
    for (size_t i = 0; i < model_.parts.size(); ++i) FindGrids(i);
    for (Operator& op : graph_.operators) {
      const auto& grids = grids_[op.part];
      for (GraphTensor& tensor : op.output_tensors) {
        const auto found = grids.find(tensor.name);
        if (found != grids.end()) tensor.grid = found->second;
      }
    }
  }

 private:
  void NoteValues(size_t part) {
    for (const Value& value : model_.parts[part].initializers) {
      values_[part].emplace(value.name, &value);
    }
    for (const Node& node : model_.parts[part].nodes) {
      if (graph_.Text(node.type) != "Constant" || node.outputs.empty())
        continue;
      for (const Attribute& attribute : node.attributes) {
        if (!attribute.tensor) continue;
        values_[part].emplace(node.outputs[0], attribute.tensor.get());
      }
    }
  }

  // Parts see the constants of the parts around them.
  std::vector<double> NumbersOf(size_t part, NameId tensor) const {
    for (auto at = static_cast<int32_t>(part); at >= 0;
         at = model_.parts[static_cast<size_t>(at)].parent) {
      const auto& values = values_[static_cast<size_t>(at)];
      const auto found = values.find(tensor);
      if (found != values.end()) return SmallNumbers(*found->second);
    }
    return {};
  }

  void FindGrids(size_t part) {
    for (const Node& node : model_.parts[part].nodes) {
      if (node.outputs.empty()) continue;
      const std::string_view type = graph_.Text(node.type);
      const auto row =
          std::ranges::find(kScaleInputs, type, &ScaleInputs::type);
      if (row != std::end(kScaleInputs)) {
        AddGrid(part, node, MakeGrid(part, node, *row));
      } else if (std::ranges::count(kMovers, type) > 0 &&
                 !node.inputs.empty()) {
        Pass(part, node);
      }
    }
  }

  void AddGrid(size_t part, const Node& node, const GridRef& grid) {
    if (!grid) return;
    grids_[part].emplace(node.outputs[0], grid);
    // What is dequantised has the grid before that too.
    if (graph_.Text(node.type) == "DequantizeLinear") {
      grids_[part].emplace(node.inputs[0], grid);
    }
  }

  // Scales of an axis would have to move with it.
  void Pass(size_t part, const Node& node) {
    const auto found = grids_[part].find(node.inputs[0]);
    if (found == grids_[part].end() || found->second->PerAxis()) return;
    const GridRef grid = found->second;
    for (const NameId output : node.outputs) {
      grids_[part].emplace(output, grid);
    }
  }

  GridRef MakeGrid(size_t part, const Node& node,
                   const ScaleInputs& inputs) const {
    if (node.inputs.size() <= inputs.scale) return nullptr;
    const auto scales = NumbersOf(part, node.inputs[inputs.scale]);
    std::vector<double> zeros(scales.size(), 0);
    if (inputs.zero < node.inputs.size() &&
        node.inputs[inputs.zero] != kNoName) {
      zeros = NumbersOf(part, node.inputs[inputs.zero]);
    }
    if (scales.empty() || zeros.size() != scales.size()) return nullptr;
    // Blocks of an axis have a scale each: not understood.
    if (IntegerOf(node, "block_size", 0) != 0) return nullptr;
    QuantGrid grid{.scales = {}, .axis = IntegerOf(node, "axis", 1)};
    for (size_t i = 0; i < scales.size(); ++i) {
      if (!std::isfinite(scales[i]) || scales[i] == 0) return nullptr;
      grid.scales.push_back({scales[i], zeros[i]});
    }
    return std::make_shared<const QuantGrid>(std::move(grid));
  }

  int32_t IntegerOf(const Node& node, std::string_view name,
                    int32_t standard) const {
    for (const Attribute& attribute : node.attributes) {
      if (graph_.Text(attribute.name) != name || attribute.items.empty()) {
        continue;
      }
      return ParseNumber<int32_t>(graph_.Text(attribute.items[0]))
          .value_or(standard);
    }
    return standard;
  }

  const Model& model_;
  Graph& graph_;
  std::vector<std::unordered_map<NameId, const Value*>> values_;
  std::vector<std::unordered_map<NameId, GridRef>> grids_;
};

}  // namespace

void SetGrids(const Model& model, Graph& graph) {
  GridFinder(model, graph).Run();
}

}  // namespace assay::onnx
