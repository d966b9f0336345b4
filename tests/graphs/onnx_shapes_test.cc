#include "graphs/onnx_shapes.h"

#include <gtest/gtest.h>

#include "temp_file.h"
#include "wire_bytes.h"

namespace assay {
namespace {

std::string Node(const std::string& type, const std::string& a,
                 const std::string& b, const std::string& out,
                 const std::string& domain = "") {
  return Bytes(1, Bytes(1, a) + (b.empty() ? "" : Bytes(1, b)) + Bytes(2, out) +
                      Bytes(4, type) + Bytes(7, domain));
}

// Inputs x [2,3,4], y [4,5], z [3,1]; everything else follows, or does not.
TEST(OnnxShapes, FollowFromTheInputs) {
  std::string graph;
  for (const std::string name : {"x", "y", "z"}) {
    graph += Bytes(11, Bytes(1, name));
  }
  graph += Node("Relu", "x", "", "kept") + Node("Add", "kept", "z", "wide") +
           Node("Mul", "z", "z", "small") +
           Node("MatMul", "wide", "y", "made") + Node("Sub", "y", "x", "odd") +
           Node("Relu", "x", "", "own", "me") +
           Node("Reshape", "x", "z", "other") + Node("Neg", "other", "", "n");
  const TempFile path("m.onnx", Bytes(7, graph));
  const auto file = onnx::OnnxFile::Open(path.path());
  ASSERT_TRUE(file) << file.error().Text();
  const auto id = [&](std::string_view name) {
    return file->model().names.Find(name);
  };
  const onnx::Shapes shapes = onnx::ShapesFrom(
      *file, {{id("x"), {2, 3, 4}}, {id("y"), {4, 5}}, {id("z"), {3, 1}}});
  const struct {
    std::string_view tensor;
    std::string shape;
  } kRows[] = {{"kept", "[2,3,4]"}, {"wide", "[2,3,4]"},
               {"small", "[3,1]"},  {"made", "[2,3,5]"},
               {"odd", ""},         {"own", ""},
               {"other", ""},       {"n", ""}};
  for (const auto& row : kRows) {
    const auto found = shapes.find(id(row.tensor));
    EXPECT_EQ(found == shapes.end() ? "" : ToText(found->second), row.shape)
        << row.tensor;
  }
}

}  // namespace
}  // namespace assay
