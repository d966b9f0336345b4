#include <gtest/gtest.h>

#include "pairing/op_split.h"
#include "pairing/torchair.h"

namespace assay {
namespace {

Dump Ge(const std::vector<std::vector<TorchairTensor>>& ops,
        std::vector<std::shared_ptr<const Graph>> graphs = {}) {
  Dump dump = MakeTorchair("torchair-ge", Together(ops));
  dump.graphs = std::move(graphs);
  return dump;
}

TEST(OpSplit, LongestNamesOneBehindAnother) {
  const auto graph = MakeGraph({{"Mul_1", {}, {}},
                                {"Mul_12", {}, {}},
                                {"scope/Relu.2", {}, {}},
                                {"Add", {}, {}}});
  const struct {
    std::string name;
    std::vector<std::string_view> dumped;
    std::string members;
  } kRows[] = {
      {"Mul_1", {}, "Mul_1 "},
      {"Mul_12", {}, "Mul_12 "},
      {"Mul_12Add", {}, "Mul_12 Add "},
      {"Mul_1scope_Relu_2Add", {}, "Mul_1 scope/Relu.2 Add "},
      {"Add_trans", {}, "Add "},
      {"Add_trans", {"Add_tr"}, ""},  // a longer beginning is dumped
      {"Add_trans", {"Add_trans"}, "Add "},
      {"MemSet", {}, ""},
      {"", {}, ""},
  };
  for (const auto& row : kRows) {
    std::string members;
    const OpSplit split(*graph, row.dumped);
    for (const Operator* op : split.Members(row.name)) {
      members += std::string(graph->Text(op->name)) + " ";
    }
    EXPECT_EQ(members, row.members) << row.name;
  }
}

TEST(TorchairGe, OperatorsOfOneNameByPlace) {
  EXPECT_EQ(Short(Ge({Op({"Sub"}, 2, 1), Op({"Old"}, 0, 1)}),
                  Ge({Op({"Sub"}, 1, 2), Op({"Neg"}, 1, 0)})),
            "Sub.in0=Sub.in0; Sub.out0=Sub.out0; "
            "-Sub.in1: the target has only 1 input here; "
            "-Old.out0: the target has no operator of this name; "
            "+Sub.out1: the golden has only 1 output here; "
            "+Neg.in0: the golden has no operator of this name");
}

TEST(TorchairGe, FusedOperatorHasOuterInputsAndTheLastOutputs) {
  const auto graph = MakeGraph({{"Mul_1", {"Sub:0", "arg1:0"}, {}},
                                {"Relu_2", {"Mul_1:0"}, {}},
                                {"Add_3", {"Relu_2:0", "arg2:0"}, {}}});
  const auto fused = Op({"Mul_1Relu_2Add_3", "AutomaticBufferFusionOp"}, 3, 1);
  EXPECT_EQ(Short(Ge({Op({"Mul_1"}, 2, 1), Op({"Relu_2"}, 1, 1),
                      Op({"Add_3"}, 2, 1)}),
                  Ge({fused}, {graph})),
            "Mul_1.in0=Mul_1Relu_2Add_3.in0; Mul_1.in1=Mul_1Relu_2Add_3.in1; "
            "Add_3.in1=Mul_1Relu_2Add_3.in2; Add_3.out0=Mul_1Relu_2Add_3.out0; "
            "-Mul_1.out0: inside an operator that the target fused; "
            "-Relu_2.in0: inside an operator that the target fused; "
            "-Relu_2.out0: inside an operator that the target fused; "
            "-Add_3.in0: inside an operator that the target fused");
  // A member without a dump keeps its place; the last one with a dump counts.
  EXPECT_EQ(Short(Ge({Op({"Relu_2"}, 1, 1)}), Ge({fused}, {graph})),
            "Relu_2.out0=Mul_1Relu_2Add_3.out0; "
            "-Relu_2.in0: inside an operator that the target fused; "
            "+Mul_1Relu_2Add_3.in0: the golden operator was not dumped; "
            "+Mul_1Relu_2Add_3.in1: the golden operator was not dumped; "
            "+Mul_1Relu_2Add_3.in2: the golden operator was not dumped");
  EXPECT_EQ(Short(Ge({Op({"Neg"}, 1, 0)}), Ge({fused}, {graph})).substr(0, 51),
            "-Neg.in0: the target has no operator of this name; ");
}

TEST(TorchairGe, AnUnreadableDumpStandsForItsTensors) {
  const std::vector<TorchairTensor> cut = {
      {.op = "Sub", .port = Port::kNone, .index = -1}};
  EXPECT_EQ(Short(Ge({Op({"Sub"}, 1, 1)}), Ge({cut})),
            "Sub.in0=Sub; Sub.out0=Sub");
  EXPECT_EQ(Short(Ge({cut}), Ge({Op({"Sub"}, 1, 1)})),
            "Sub=Sub.in0; Sub=Sub.out0");
}

}  // namespace
}  // namespace assay
