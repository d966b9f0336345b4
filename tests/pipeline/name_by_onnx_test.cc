#include "pipeline/name_by_onnx.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

// Tensors may be called like ports: "block/input_1" is what a node hands out.
TEST(NameByOnnx, ByTheWholeNameBeforePorts) {
  Graph graph;
  graph.parts.push_back({});
  Operator& node = graph.operators.emplace_back();
  node.name = graph.names.Intern("/block/Relu");
  node.type = graph.names.Intern("Relu");
  node.output_tensors.emplace_back().name = graph.names.Intern("block/input_1");
  graph.Finish();
  const struct {
    std::string name, op;
    Port port;
    int32_t index;
    std::string becomes;
  } kRows[] = {
      {"block/input_1", "block", Port::kInput, 1, "/block/Relu output 0"},
      {"block/input_2", "block", Port::kInput, 2, "block input 2"},
      {"_block_Relu/output_0", "_block_Relu", Port::kOutput, 0,
       "/block/Relu output 0"},
      {"_block_Relu/input_0", "_block_Relu", Port::kInput, 0,
       "_block_Relu input 0"},
  };
  for (const auto& row : kRows) {
    Dump dump;
    TensorInfo& t = dump.tensors.emplace_back();
    t.name = dump.names.Intern(row.name);
    t.id.op = dump.names.Intern(row.op);
    t.id.port = row.port;
    t.id.index = row.index;
    NameByOnnx(graph, dump);
    const TensorId& id = dump.tensors[0].id;
    EXPECT_EQ(
        fmt::format("{} {} {}", dump.names[id.op], Name(id.port), id.index),
        row.becomes);
  }
}

}  // namespace
}  // namespace assay
