// What the integers of a quantised ONNX model stand for.
#include <gtest/gtest.h>

#include <cstring>

#include "graphs/graph_kind.h"
#include "graphs/wire_bytes.h"
#include "temp_tree.h"

namespace assay {
namespace {

template <typename T>
std::string Raw(std::initializer_list<T> values) {
  return std::string(reinterpret_cast<const char*>(std::data(values)),
                     values.size() * sizeof(T));
}

struct Tensor {
  uint64_t type = 1;
  std::vector<uint64_t> dims;
  std::string values;  // one field of TensorProto

  std::string Proto(const std::string& name) const {
    std::string out;
    for (const uint64_t dim : dims) out += Number(1, dim);
    return out + Number(2, type) + (name.empty() ? "" : Bytes(8, name)) +
           values;
  }
};

// x -> QuantizeLinear(x, s, z) -> q, with `attributes` of the node.
std::string Model(const Tensor& scale, const Tensor& zero,
                  const std::string& attributes = "", bool constants = false) {
  const auto node = [](const std::string& type,
                       const std::vector<std::string>& inputs,
                       const std::string& output, const std::string& more) {
    std::string out;
    for (const std::string& input : inputs) out += Bytes(1, input);
    return Bytes(1, out + Bytes(2, output) + Bytes(4, type) + more);
  };
  std::string graph = Bytes(2, "net");
  for (const auto& [name, tensor] :
       {std::pair("s", &scale), std::pair("z", &zero)}) {
    if (tensor->values.empty()) continue;
    const std::string value = Bytes(1, "value") + Bytes(5, tensor->Proto(""));
    graph += constants ? node("Constant", {}, name, Bytes(5, value))
                       : Bytes(5, tensor->Proto(name));
  }
  std::vector<std::string> inputs = {"x", "s"};
  if (!zero.values.empty()) inputs.push_back("z");
  graph += node("QuantizeLinear", inputs, "q", attributes);
  graph += node("Transpose", {"q"}, "moved", "");
  return Number(1, 8) + Bytes(7, graph);
}

std::string GridText(const GraphTensor& tensor) {
  if (!tensor.grid) return "none";
  std::string text = fmt::format("axis {}:", tensor.grid->axis);
  for (const auto& [step, zero] : tensor.grid->scales) {
    text += fmt::format(" {}/{}", step, zero);
  }
  return text;
}

std::string GridOf(const std::string& model, std::string_view node = "") {
  const TempTree tree;
  const Result<Graph> graph = OpenGraph(tree.Write("m.onnx", model));
  if (!graph) return graph.error().Text();
  for (const Operator& op : graph->operators) {
    const std::string_view type = graph->Text(op.type);
    if (type == (node.empty() ? "QuantizeLinear" : node)) {
      return GridText(op.output_tensors[0]);
    }
  }
  return "no such node";
}

std::string Integer(const std::string& name, uint64_t value) {
  return Bytes(5, Bytes(1, name) + Number(3, value) + Number(20, 2));
}

const Tensor kScale = {1, {}, Bytes(9, Raw<float>({0.5f}))};
const Tensor kScales = {1, {2}, Bytes(9, Raw<float>({0.5f, 0.25f}))};
const Tensor kNone = {};

TEST(OnnxGrids, EveryWayToStoreAScale) {
  const struct {
    Tensor scale, zero;
    std::string grid;
  } kRows[] = {
      {kScale, kNone, "axis 1: 0.5/0"},
      {{1, {1}, Bytes(4, Raw<float>({0.5f}))}, kNone, "axis 1: 0.5/0"},
      {{11, {}, Bytes(10, Raw<double>({0.5}))}, kNone, "axis 1: 0.5/0"},
      {{10, {}, Bytes(9, Raw<uint16_t>({0x3800}))}, kNone, "axis 1: 0.5/0"},
      {{10, {}, Bytes(5, Varint(0x3800))}, kNone, "axis 1: 0.5/0"},
      {{16, {}, Bytes(9, Raw<uint16_t>({0x3f00}))}, kNone, "axis 1: 0.5/0"},
      {kScale, {2, {}, Bytes(9, "\x80")}, "axis 1: 0.5/128"},
      {kScale, {3, {}, Bytes(9, "\xf6")}, "axis 1: 0.5/-10"},
      {kScale,
       {3, {}, Bytes(5, Varint(static_cast<uint64_t>(-10)))},
       "axis 1: 0.5/-10"},
      {kScale, {6, {}, Bytes(9, Raw<int32_t>({-7}))}, "axis 1: 0.5/-7"},
      {kScales, kNone, "axis 1: 0.5/0 0.25/0"},
      {kScales, {2, {2}, Bytes(9, "\x01\x02")}, "axis 1: 0.5/1 0.25/2"},
      // What says nothing, or nonsense.
      {kScales, {2, {}, Bytes(9, "\x01")}, "none"},
      {{1, {2}, Bytes(9, Raw<float>({0.5f}))}, kNone, "none"},
      {{1, {}, Bytes(9, Raw<float>({0.0f}))}, kNone, "none"},
      {{1, {}, Bytes(9, Raw<uint32_t>({0x7f800000}))}, kNone, "none"},
      {{1, {}, Bytes(5, Varint(1))}, kNone, "none"},
      {{7, {}, Bytes(9, Raw<int64_t>({1}))}, kNone, "none"},
      {kNone, kNone, "none"},
      {kScale, {3, {}, Bytes(5, "\xff")}, "none"},
      {{1, {uint64_t{1} << 40}, Bytes(9, "1")}, kNone, "none"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(GridOf(Model(row.scale, row.zero)), row.grid);
    EXPECT_EQ(GridOf(Model(row.scale, row.zero, "", true)), row.grid);
  }
}

TEST(OnnxGrids, AxisAndBlocks) {
  EXPECT_EQ(GridOf(Model(kScales, kNone, Integer("axis", 0))),
            "axis 0: 0.5/0 0.25/0");
  EXPECT_EQ(
      GridOf(Model(kScales, kNone, Integer("axis", static_cast<uint64_t>(-1)))),
      "axis -1: 0.5/0 0.25/0");
  EXPECT_EQ(GridOf(Model(kScales, kNone, Integer("block_size", 16))), "none");
}

// One scale is the same wherever a number moves; those of an axis are not.
TEST(OnnxGrids, OperatorsThatMoveNumbers) {
  EXPECT_EQ(GridOf(Model(kScale, kNone), "Transpose"), "axis 1: 0.5/0");
  EXPECT_EQ(GridOf(Model(kScales, kNone), "Transpose"), "none");
}

}  // namespace
}  // namespace assay
