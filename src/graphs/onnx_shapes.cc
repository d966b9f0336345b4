#include "graphs/onnx_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

namespace assay::onnx {
namespace {

// With a space around each. The first output is like the first input.
constexpr std::string_view kKeeping =
    " Abs Acos Acosh Asin Asinh Atan Atanh BatchNormalization BitwiseNot Cast "
    "CastLike Ceil Celu Clip Cos Cosh CumSum DequantizeLinear Dropout Elu Erf "
    "Exp Floor Gelu GroupNormalization HardSigmoid HardSwish Hardmax Identity "
    "InstanceNormalization IsInf IsNaN LRN LayerNormalization LeakyRelu Log "
    "LogSoftmax LpNormalization MeanVarianceNormalization Mish Neg Not PRelu "
    "QuantizeLinear Reciprocal Relu ReverseSequence Round ScatterElements "
    "ScatterND Selu Shrink Sigmoid Sign Sin Sinh Softmax Softplus Softsign "
    "Sqrt Tan Tanh ThresholdedRelu Trilu ";

// Like all inputs together.
constexpr std::string_view kStretching =
    " Add And BitShift BitwiseAnd BitwiseOr BitwiseXor Div Equal Greater "
    "GreaterOrEqual Less LessOrEqual Max Mean Min Mod Mul Or Pow Sub Sum Where "
    "Xor ";

std::optional<Shape> Stretched(const Shape& a, const Shape& b) {
  Shape out = a.size() >= b.size() ? a : b;
  const Shape& other = a.size() >= b.size() ? b : a;
  const size_t ahead = out.size() - other.size();
  for (size_t i = 0; i < other.size(); ++i) {
    int64_t& size = out[ahead + i];
    if (size == 1) size = other[i];
    if (other[i] != 1 && other[i] != size) return std::nullopt;
  }
  return out;
}

// The last two dimensions are the matrices'.
std::optional<Shape> Multiplied(const Shape& a, const Shape& b) {
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  auto out = Stretched({a.begin(), a.end() - 2}, {b.begin(), b.end() - 2});
  if (!out) return std::nullopt;
  out->insert(out->end(), {a.end()[-2], b.back()});
  return out;
}

class Follower {
 public:
  Follower(const OnnxFile& file, Shapes inputs)
      : file_(file), shapes_(std::move(inputs)) {
    for (const Value& value : file.graph().initializers) {
      if (ElementCount(value.shape)) shapes_.emplace(value.name, value.shape);
    }
    for (const uint32_t number : file.order()) {
      const Node& node = file.graph().nodes[number];
      if (node.outputs.empty() || node.outputs[0] == kNoName) continue;
      if (auto shape = ShapeOf(node)) shapes_.emplace(node.outputs[0], *shape);
    }
  }

  Shapes Take() { return std::move(shapes_); }

 private:
  const Shape* Input(const Node& node, size_t place) const {
    if (place >= node.inputs.size()) return nullptr;
    const auto known = shapes_.find(node.inputs[place]);
    return known == shapes_.end() ? nullptr : &known->second;
  }

  std::optional<Shape> ShapeOf(const Node& node) const {
    const std::string_view domain = file_.Text(node.domain);
    const Shape* first = Input(node, 0);
    if (first == nullptr || (!domain.empty() && domain != "ai.onnx")) {
      return std::nullopt;
    }
    const std::string_view type = file_.Text(node.type);
    const std::string word = fmt::format(" {} ", type);
    if (kKeeping.find(word) != kKeeping.npos) return *first;
    if (kStretching.find(word) != kStretching.npos) return All(node);
    const Shape* second = Input(node, 1);
    if (type != "MatMul" || second == nullptr) return std::nullopt;
    return Multiplied(*first, *second);
  }

  std::optional<Shape> All(const Node& node) const {
    std::optional<Shape> out = Shape();
    for (size_t i = 0; i < node.inputs.size() && out; ++i) {
      const Shape* input = Input(node, i);
      if (input == nullptr) return std::nullopt;
      out = Stretched(*out, *input);
    }
    return out;
  }

  const OnnxFile& file_;
  Shapes shapes_;
};

}  // namespace

Shapes ShapesFrom(const OnnxFile& file, Shapes inputs) {
  return Follower(file, std::move(inputs)).Take();
}

}  // namespace assay::onnx
