#include "sources/array_name.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace assay {
namespace {

// "op [type] port index call time"; "no".
std::string Told(std::string_view stem) {
  const auto name = ParseArrayName(stem);
  if (!name) return "no";
  return fmt::format("{} [{}] {} {} {} {}", name->op, name->type,
                     Name(name->port), name->index, name->call, name->time);
}

TEST(ArrayName, Frameworks) {
  const struct {
    std::string_view stem, told;
  } kRows[] = {
      {"conv1.0.1700000000000001", "conv1 [] output 0 0 1700000000000001"},
      {"a.b.12.1741000123", "a.b [] output 12 0 1741000123000000"},
      {"conv1.0.1700000000000001.3", "conv1 [] output 0 3 1700000000000001"},
      {"0.0.1741000123", "0 [] output 0 0 1741000123000000"},
      {"conv1.0.170", "no"},
      {"conv1.0", "no"},
      {"conv1", "no"},
      {"conv1.x.1700000000000001", "no"},
      {"0.1700000000000001", "no"},
      {".0.1700000000000001", "no"},
      {"conv1.99999999999.1700000000000001", "no"},
      {"", "no"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Told(row.stem), row.told) << row.stem;
}

TEST(ArrayName, ConvertedDumps) {
  const struct {
    std::string_view stem, told;
  } kRows[] = {
      {"Add.a.1.2.1700000000000001.output.0",
       "a [Add] output 0 0 1700000000000001"},
      {"Add.a.1.2.1700000000000001.input.12.2x3",
       "a [Add] input 12 0 1700000000000001"},
      {"Add.a.1.2.1700000000000001.output.0.NCHW.float16",
       "a [Add] output 0 0 1700000000000001"},
      {"Add.sgt_graph_0_a.1.2.1700000000000001.4.1.0.0.output.1",
       "a [Add] output 1 0 1700000000000001"},
      {"Add.a.1.2.1700000000000001.l1buffer.0", "no"},
      {"x.output.0", "no"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Told(row.stem), row.told) << row.stem;
}

TEST(ArrayName, Ports) {
  const struct {
    std::string_view stem, op;
    Port port;
    int32_t index;
  } kRows[] = {
      {"x.output.0", "x", Port::kOutput, 0},
      {"net.conv.1.input.12", "net.conv.1", Port::kInput, 12},
      {"net.conv:output:3", "net.conv", Port::kOutput, 3},
      {".output.0", "", Port::kNone, 0},
      {"output.0", "", Port::kNone, 0},
      {"x.output.a", "", Port::kNone, 0},
      {"x.outputs.0", "", Port::kNone, 0},
      {"x.output.0.1", "", Port::kNone, 0},
  };
  for (const auto& row : kRows) {
    const auto name = ParsePortName(row.stem);
    ASSERT_EQ(name.has_value(), row.port != Port::kNone) << row.stem;
    if (!name) continue;
    EXPECT_EQ(name->op, row.op);
    EXPECT_EQ(name->port, row.port);
    EXPECT_EQ(name->index, row.index);
    EXPECT_EQ(name->time, -1);
  }
}

TEST(ArrayName, PortsInAFolder) {
  const struct {
    std::string_view path, op;
    Port port;
    int32_t index;
  } kRows[] = {
      {"conv/input_0", "conv", Port::kInput, 0},
      {"net/conv.1/output.12", "net/conv.1", Port::kOutput, 12},
      {"conv/output3", "conv", Port::kOutput, 3},
      {"conv/output:0", "", Port::kNone, 0},
      {"output_0", "", Port::kNone, 0},
      {"/output_0", "", Port::kNone, 0},
      {"conv/output", "", Port::kNone, 0},
      {"conv/output_", "", Port::kNone, 0},
      {"conv/output__0", "", Port::kNone, 0},
      {"conv/my_output_0", "", Port::kNone, 0},
      {"conv/outputs_0", "", Port::kNone, 0},
  };
  for (const auto& row : kRows) {
    const auto name = ParsePortPath(row.path);
    ASSERT_EQ(name.has_value(), row.port != Port::kNone) << row.path;
    if (!name) continue;
    EXPECT_EQ(name->op, row.op);
    EXPECT_EQ(name->port, row.port);
    EXPECT_EQ(name->index, row.index);
  }
}

TEST(ArrayName, FxDumps) {
  const struct {
    std::string_view stem, told;
  } kRows[] = {
      {"add_1-aten.add.Tensor.INPUT.2.20240125031118790000",
       "add_1 aten.add.Tensor input 2/-1 add_1-aten.add.Tensor.INPUT.2"},
      {"cat-aten.cat.default.INPUT.0.1.20240125031118791111",
       "cat aten.cat.default input 0/1 cat-aten.cat.default.INPUT.0.1"},
      {"mm-aten.mm.default.OUTPUT.0.20240125031118787351_min_max",
       "mm aten.mm.default output 0/-1 mm-aten.mm.default.OUTPUT.0 summary"},
      {"mm.OUTPUT.0.20240125031118787351", "no"},
      {"-mm.OUTPUT.0.20240125031118787351", "no"},
      {"a-b.OUTPUT.x.20240125031118787351", "no"},
      {"a-b.OUTPUT.0.1.2.20240125031118787351", "no"},
      {"a-b.OUTPUT.0", "no"},
      {"a-b.SIDE.0.20240125031118787351", "no"},
  };
  for (const auto& row : kRows) {
    const auto name = ParseFxName(row.stem);
    const std::string told =
        name ? fmt::format("{} {} {} {}/{} {}{}", name->node, name->target,
                           Name(name->port), name->argument, name->member,
                           name->tensor, name->summary ? " summary" : "")
             : "no";
    EXPECT_EQ(told, row.told) << row.stem;
  }
  EXPECT_EQ(Told("mm-aten.mm.default.OUTPUT.0.20231114221320123456"),
            "mm [aten.mm.default] output 0 0 1700000000123456");
}

}  // namespace
}  // namespace assay
