#include <gtest/gtest.h>

#include "pairing/torchair.h"

namespace assay {
namespace {

Dump Fx(const std::vector<std::vector<TorchairTensor>>& ops) {
  return MakeTorchair("torchair-fx", Together(ops));
}

Dump Ge(const std::vector<std::vector<TorchairTensor>>& ops,
        std::vector<std::shared_ptr<const Graph>> graphs) {
  Dump dump = MakeTorchair("torchair-ge", Together(ops));
  dump.graphs = std::move(graphs);
  return dump;
}

const TorchairTensor kAdd{"add", "aten.add"}, kMul{"mul", "aten.mul"},
    kRelu{"relu", "aten.relu"};

TEST(TorchairFx, OneOperatorByItsTag) {
  const auto graph = MakeGraph({{"Add", {}, {"add-aten.add.OUTPUT.0"}}});
  EXPECT_EQ(Short(Fx({Op(kAdd, 2, 1)}), Ge({Op({"Add"}, 2, 1)}, {graph})),
            "add.in0=Add.in0; add.in1=Add.in1; add.out0=Add.out0");
  const auto pairing =
      PairDumps(Fx({Op(kAdd, 1, 1)}), Ge({Op({"Add"}, 1, 1)}, {graph}), {});
  ASSERT_TRUE(pairing);
  EXPECT_EQ(pairing->strategy, "torchair-fx");
  EXPECT_EQ(*pairing->pairs[0].why, "input 0 of FX node 'add-aten.add'");
  EXPECT_EQ(*pairing->pairs[1].why,
            "the graph says it is add-aten.add.OUTPUT.0");
}

TEST(TorchairFx, FusedOperatorsAreTakenApart) {
  const auto graph =
      MakeGraph({{"Mul_1", {}, {"mul-aten.mul.OUTPUT.0"}},
                 {"Relu_2", {"Mul_1:0"}, {"relu-aten.relu.OUTPUT.0"}}});
  EXPECT_EQ(Short(Fx({Op(kMul, 2, 1), Op(kRelu, 1, 1)}),
                  Ge({Op({"Mul_1Relu_2", "AutomaticBufferFusionOp"}, 2, 1)},
                     {graph})),
            "mul.in0=Mul_1Relu_2.in0; mul.in1=Mul_1Relu_2.in1; "
            "relu.out0=Mul_1Relu_2.out0; "
            "-mul.out0: inside an operator that the target fused; "
            "-relu.in0: inside an operator that the target fused");
}

TEST(TorchairFx, TheTagChoosesTheOutput) {
  const auto graph =
      MakeGraph({{"Top",
                  {},
                  {"", "topk-aten.topk.OUTPUT.0", "topk-aten.topk.OUTPUT.1"}}});
  EXPECT_EQ(Short(Fx({Op({"topk", "aten.topk"}, 0, 2)}),
                  Ge({Op({"Top"}, 0, 3)}, {graph})),
            "topk.out0=Top.out1; topk.out1=Top.out2; "
            "+Top.out0: FX node 'topk-aten.topk' has no output for it");
  const auto partly = MakeGraph({{"Top", {}, {"topk-aten.topk.OUTPUT.0", ""}}});
  EXPECT_EQ(Short(Fx({Op({"topk", "aten.topk"}, 0, 2)}),
                  Ge({Op({"Top"}, 0, 2)}, {partly})),
            "topk.out0=Top.out0; topk.out1=Top.out1");
}

TEST(TorchairFx, ArgumentsThatAreNoTensorsAreNotPaired) {
  const auto graph = MakeGraph({{"Sum", {}, {"sum-aten.sum.OUTPUT.0"}}});
  auto fx = Op({"sum", "aten.sum"}, 4, 1);
  fx[1].shape = {1};             // another size: not the same tensor
  fx[2].dtype = DType::kOpaque;  // None
  EXPECT_EQ(
      Short(Fx({fx}), Ge({Op({"Sum"}, 3, 1)}, {graph})),
      "sum.in0=Sum.in0; sum.out0=Sum.out0; "
      "-sum.in1: argument 1 of FX node 'sum-aten.sum' has 1 element, input 1 "
      "of 'Sum' has 6 elements: not the same tensor; "
      "-sum.in2: argument 2 of FX node 'sum-aten.sum' is no tensor; "
      "-sum.in3: 'Sum' has only 3 inputs; "
      "+Sum.in1: argument 1 of FX node 'sum-aten.sum' has 1 element, input 1 "
      "of 'Sum' has 6 elements: not the same tensor; "
      "+Sum.in2: argument 2 of FX node 'sum-aten.sum' is no tensor");
  // An output has its tag: another size is a finding.
  auto out = Op({"sum", "aten.sum"}, 0, 1);
  out[0].shape = {7};
  EXPECT_EQ(Short(Fx({out}), Ge({Op({"Sum"}, 0, 1)}, {graph})),
            "sum.out0=Sum.out0");
}

TEST(TorchairFx, SaysWhyAnOperatorIsLeft) {
  const auto graph = MakeGraph({{"Add", {}, {"add-aten.add.OUTPUT.0"}},
                                {"Sqrt", {}, {"sqrt-aten.sqrt.OUTPUT.0"}},
                                {"Helper", {}, {""}}});
  EXPECT_EQ(Short(Fx({Op(kAdd, 0, 1)}),
                  Ge({Op({"Add"}, 1, 1), Op({"Sqrt"}, 0, 1),
                      Op({"Helper"}, 0, 1), Op({"MemSet_x", "MemSet"}, 0, 1)},
                     {graph})),
            "add.out0=Add.out0; "
            "+Add.in0: FX node 'add-aten.add' has only 0 arguments; "
            "+Sqrt.out0: FX node 'sqrt-aten.sqrt' was not dumped; "
            "+Helper.out0: the graph names no FX tensor for 'Helper'; "
            "+MemSet_x.out0: the graph has no operator of this name");
}

TEST(TorchairFx, AnUnreadableDumpIsPairedAsOutput) {
  const auto graph = MakeGraph({{"Add", {}, {"add-aten.add.OUTPUT.0"}}});
  EXPECT_EQ(
      Short(Fx({Op(kAdd, 0, 1)}),
            Ge({{{.op = "Add", .port = Port::kNone, .index = -1}}}, {graph})),
      "add.out0=Add");
}

TEST(TorchairFx, RanksAndTokens) {
  const auto graph = MakeGraph({{"Add", {}, {"add-aten.add.OUTPUT.0"}}});
  const auto at = [](TorchairTensor t, int rank, int step) {
    t.rank = rank;
    t.step = step;
    return std::vector{t};
  };
  const TorchairTensor ge{"Add"};
  EXPECT_EQ(Short(Fx({at(kAdd, 0, 0), at(kAdd, 1, 0), at(kAdd, 0, 1)}),
                  Ge({at(ge, 0, 1), at(ge, 1, 0), at(ge, 2, 0), at(ge, 1, 7)},
                     {graph})),
            "add.out0@1=Add.out0@1; add.out0#1=Add.out0#1; "
            "-add.out0: the target has no step 0; "
            "+Add.out0#2: the golden has no rank 2; "
            "+Add.out0@7#1: the golden has no step 7 of this graph");
}

TEST(TorchairFx, GraphsGoByNameElseByContentElseByPlace) {
  const auto in = [](TorchairTensor t, std::string graph) {
    t.graph = std::move(graph);
    return std::vector{t};
  };
  const MadeOperator add{"Add", {}, {"add-aten.add.OUTPUT.0"}};
  const MadeOperator mul{"Add", {}, {"mul-aten.mul.OUTPUT.0"}};
  const auto one = MakeGraph({add}, "d/dynamo_original_graph_1.txt", "graph_1");
  const auto two = MakeGraph({add}, "d/dynamo_original_graph_2.txt", "graph_2");
  const auto ten =
      MakeGraph({mul}, "d/dynamo_original_graph_10.txt", "graph_10");
  const TorchairTensor ge{"Add"};
  // By name, whatever the order.
  EXPECT_EQ(Short(Fx({in(kAdd, "graph_2"), in(kMul, "graph_10")}),
                  Ge({in(ge, "graph_2"), in(ge, "graph_10")}, {ten, two})),
            "add.out0/graph_2=Add.out0/graph_2; "
            "mul.out0/graph_10=Add.out0/graph_10");
  // Old FX folders have no name of a graph: equal content goes by place.
  EXPECT_EQ(Short(Fx({in(kAdd, "gm_0"), in(kAdd, "gm_1")}),
                  Ge({in(ge, "graph_1"), in(ge, "graph_2")}, {one, two})),
            "add.out0/gm_0=Add.out0; add.out0/gm_1=Add.out0/graph_2");
  EXPECT_EQ(Short(Fx({in(kMul, "gm_0"), in(kAdd, "gm_1")}),
                  Ge({in(ge, "graph_1"), in(ge, "graph_10")}, {one, ten})),
            "add.out0/gm_1=Add.out0; mul.out0/gm_0=Add.out0/graph_10");
  // A graph that the other side does not have is not lent another.
  EXPECT_EQ(Short(Fx({in(kAdd, "graph_1")}),
                  Ge({in(ge, "graph_1"), in(ge, "graph_2")}, {one, two})),
            "add.out0=Add.out0; "
            "+Add.out0/graph_2: no FX graph belongs to its graph");
}

TEST(TorchairFx, OnlyKeepsAPairIfOneNameMatches) {
  const auto graph = MakeGraph({{"Add", {}, {"add-aten.add.OUTPUT.0"}},
                                {"Mul", {}, {"mul-aten.mul.OUTPUT.0"}}});
  EXPECT_EQ(Short(Fx({Op(kAdd, 0, 1), Op(kMul, 0, 1)}),
                  Ge({Op({"Add"}, 0, 1), Op({"Mul"}, 0, 1)}, {graph}),
                  {.only = "Add"}),
            "add.out0=Add.out0; -mul.out0: does not match --only; "
            "+Mul.out0: does not match --only");
}

}  // namespace
}  // namespace assay
