// Models often keep only the types of their inputs and outputs. Shapes are not
// needed here: a type alone makes a tensor an input.
#include "graphs/onnx_types.h"

#include <fmt/format.h>

#include <string_view>

#include "base/parse_number.h"

namespace assay::onnx {
namespace {

enum Type : uint32_t {
  kUnknown = 0,
  kFloat = 1,
  kUint8 = 2,
  kInt32 = 6,
  kInt64 = 7,
  kBool = 9
};

// What an operator's outputs are: of the type of an input, or always the same.
struct Rule {
  std::string_view operators;  // with a space around each
  int input = -1;
  Type always = kUnknown;
  size_t from_output = 0, to_output = SIZE_MAX;  // the second not included
};

// The first that fits an operator and an output counts.
constexpr Rule kRules[] = {
    {" Shape Size NonZero ArgMax ArgMin NonMaxSuppression StringLength ", -1,
     kInt64},
    {" TopK MaxPool Unique ", -1, kInt64, 1},
    {" Equal Greater GreaterOrEqual Less LessOrEqual And Or Xor Not IsInf "
     "IsNaN ",
     -1, kBool},
    {" Dropout ", -1, kBool, 1},
    {" MatMulInteger ConvInteger ", -1, kInt32},
    {" DynamicQuantizeLinear ", -1, kFloat, 1, 2},
    {" DynamicQuantizeLinear ", -1, kUint8},
    {" Where DequantizeLinear CastLike ", 1},
    {" QuantizeLinear OneHot ", 2},
    {" QuantizeLinear ", -1, kUint8},  // without a zero point
    {" QLinearConv QLinearMatMul ", 7},
    {" Abs Acos Acosh Add Asin Asinh Atan Atanh AveragePool BatchNormalization "
     "BitShift BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Ceil Celu "
     "CenterCropPad Clip Col2Im Compress Concat Conv ConvTranspose Cos Cosh "
     "CumSum DepthToSpace Det Div Dropout Einsum Elu Erf Exp Expand Flatten "
     "Floor GRU Gather GatherElements GatherND Gelu Gemm GlobalAveragePool "
     "GlobalLpPool GlobalMaxPool GridSample GroupNormalization HardSigmoid "
     "HardSwish Hardmax Identity InstanceNormalization LRN LSTM "
     "LayerNormalization LeakyRelu Log LogSoftmax LpNormalization LpPool "
     "MatMul "
     "Max MaxPool MaxRoiPool MaxUnpool Mean MeanVarianceNormalization Min Mish "
     "Mod Mul Neg PRelu Pad Pow RNN Range Reciprocal ReduceL1 ReduceL2 "
     "ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd "
     "ReduceSum ReduceSumSquare Relu Reshape Resize ReverseSequence RoiAlign "
     "Round Scatter ScatterElements ScatterND Selu Shrink Sigmoid Sign Sin "
     "Sinh Slice Softmax Softplus Softsign SpaceToDepth Split Sqrt Squeeze Sub "
     "Sum Tan Tanh ThresholdedRelu Tile TopK Transpose Trilu Unique Unsqueeze "
     "Upsample ",
     0},
};

class Types {
 public:
  explicit Types(const OnnxFile& file) : file_(file) {
    const Part& graph = file.graph();
    for (const auto* list :
         {&graph.initializers, &graph.values, &graph.outputs, &graph.inputs}) {
      for (const Value& value : *list) Note(value.name, value.type);
    }
    for (const uint32_t number : file.order()) {
      const Node& node = graph.nodes[number];
      for (size_t i = 0; i < node.outputs.size(); ++i) {
        Note(node.outputs[i], TypeOf(node, i));
      }
    }
  }

  std::unordered_map<NameId, uint32_t> Take() { return std::move(types_); }

 private:
  void Note(NameId name, uint32_t type) {
    if (type != kUnknown) types_.emplace(name, type);
  }

  uint32_t TypeOf(const Node& node, size_t output) const {
    const std::string_view domain = file_.Text(node.domain);
    if (!domain.empty() && domain != "ai.onnx") return kUnknown;
    const std::string_view type = file_.Text(node.type);
    if (type == "Cast" || type == "Constant" || type == "ConstantOfShape") {
      return FromAttributes(node, type == "ConstantOfShape");
    }
    const std::string word = fmt::format(" {} ", type);
    for (const Rule& rule : kRules) {
      if (output < rule.from_output || output >= rule.to_output) continue;
      if (rule.operators.find(word) == std::string_view::npos) continue;
      if (rule.input < 0) return rule.always;
      const auto place = static_cast<size_t>(rule.input);
      if (place >= node.inputs.size()) continue;
      const auto known = types_.find(node.inputs[place]);
      return known == types_.end() ? kUnknown : known->second;
    }
    return kUnknown;
  }

  // Of Cast, Constant and ConstantOfShape.
  uint32_t FromAttributes(const Node& node, bool float_by_default) const {
    for (const Attribute& attribute : node.attributes) {
      const std::string_view name = file_.Text(attribute.name);
      if (attribute.items.empty()) continue;
      if (name == "to") {
        return ParseNumber<uint32_t>(file_.Text(attribute.items[0]))
            .value_or(kUnknown);
      }
      if (name == "value") return attribute.type;
      if (name.starts_with("value_float")) return kFloat;
      if (name.starts_with("value_int")) return kInt64;
    }
    return float_by_default ? kFloat : kUnknown;
  }

  const OnnxFile& file_;
  std::unordered_map<NameId, uint32_t> types_;
};

}  // namespace

std::unordered_map<NameId, uint32_t> ElementTypes(const OnnxFile& file) {
  return Types(file).Take();
}

}  // namespace assay::onnx
