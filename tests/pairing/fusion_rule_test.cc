#include "pairing/fusion_rule.h"

#include <gtest/gtest.h>

#include "pairing/tiny_graph.h"

namespace assay {
namespace {

std::string Said(const FusionRule::Answer& answer) {
  if (answer.tensor == nullptr) return "no: " + answer.why_not;
  return answer.name + ":" + std::to_string(answer.index);
}

FusionRule Fused() {
  return FusionRule(TinyGraph()
                        .Add({.name = "x", .type = "Data"})
                        .Add({.name = "trans",
                              .type = "TransData",
                              .inputs = {"x:0"},
                              .originals = {{}}})
                        .Add({.name = "conv1relu1",
                              .inputs = {"trans:0", "gone:0"},
                              .originals = {{"conv1", "relu1"}},
                              .outputs = {{"relu1", 0}, {""}}})
                        .Add({.name = "renamed",
                              .inputs = {"conv1relu1:0"},
                              .originals = {{"pool"}}})
                        .Add({.name = "cast",
                              .type = "Cast",
                              .inputs = {"renamed:0"},
                              .originals = {{}}})
                        .Add({.name = "scope/out", .inputs = {"cast:0"}})
                        .Done());
}

TEST(FusionRule, AnswersWhoseTensorItIs) {
  const FusionRule rule = Fused();
  const auto output = [&](std::string_view op, int32_t k) {
    return Said(rule.Output(*rule.Find(op), k));
  };
  const auto input = [&](std::string_view op, int32_t k) {
    return Said(rule.Input(*rule.Find(op), k));
  };
  EXPECT_EQ(output("x", 0), "x:0");
  EXPECT_EQ(output("trans", 0), "x:0");  // what stands before it
  EXPECT_EQ(input("conv1relu1", 0), "x:0");
  EXPECT_EQ(output("conv1relu1", 0), "relu1:0");
  EXPECT_EQ(output("conv1relu1", 1),
            "no: output 1 of conv1relu1 is no tensor of the framework");
  EXPECT_EQ(input("conv1relu1", 1),
            "no: its producer gone is not in the graph");
  EXPECT_EQ(input("conv1relu1", 2),
            "no: the graph knows 2 inputs of conv1relu1, not input 2");
  EXPECT_EQ(output("renamed", 0), "pool:0");
  EXPECT_EQ(input("scope/out", 0), "pool:0");  // through the Cast
  EXPECT_EQ(output("scope/out", 3), "scope/out:0");
  EXPECT_EQ(rule.FindDumped("scope_out"), rule.Find("scope/out"));
  EXPECT_EQ(rule.FusedInto("conv1"), "conv1relu1");
}

TEST(FusionRule, AnEndlessChainOfCastsEnds) {
  const FusionRule rule(
      TinyGraph()
          .Add({.name = "a", .type = "Cast", .inputs = {"b:0"}})
          .Add({.name = "b", .type = "Cast", .inputs = {"a:0"}})
          .Done());
  EXPECT_EQ(Said(rule.Output(*rule.Find("a"), 0)).substr(0, 3), "no:");
}

TEST(FusionRule, LeavesOutWhatIsBetweenQuantisationAndItsEnd) {
  const FusionRule rule(
      TinyGraph()
          .Add({.name = "c_quant_layer", .dtype = "DT_INT8"})
          .Add(
              {.name = "c", .inputs = {"c_quant_layer:0"}, .dtype = "DT_INT32"})
          .Add({.name = "c_dequant_layer", .inputs = {"c:0"}})
          .Add({.name = "relu", .inputs = {"c_dequant_layer:0"}})
          .Done());
  EXPECT_FALSE(rule.Find("c_quant_layer")->in_between);
  EXPECT_TRUE(rule.Find("c")->in_between);
  EXPECT_FALSE(rule.Find("c_dequant_layer")->in_between);
  EXPECT_FALSE(rule.Find("relu")->in_between);
}

TEST(FusionRule, LeadsThroughTheQuantisersRules) {
  const FusionRule quant(
      TinyGraph()
          .Add({.name = "conv1", .originals = {{"conv1", "bn1"}}})
          .Add({.name = "dequant",
                .originals = {{"conv1", "bn1"}},
                .outputs = {{"bn1", 0}}})
          .Done());
  FusionRule rule(TinyGraph()
                      .Add({.name = "conv1dequant",
                            .originals = {{"conv1", "dequant"}},
                            .outputs = {{"dequant", 0}}})
                      .Done());
  rule.ThroughQuantisation(quant);
  const RuleOp& op = *rule.Find("conv1dequant");
  EXPECT_EQ(op.originals, (std::vector<std::string>{"conv1", "bn1"}));
  EXPECT_EQ(Said(rule.Output(op, 0)), "bn1:0");
}

TEST(FusionRule, LeadsToTheBuildWithoutFusion) {
  const FusionRule off(TinyGraph()
                           .Add({.name = "x", .type = "Data"})
                           .Add({.name = "conv1_off",
                                 .inputs = {"x:0"},
                                 .originals = {{"conv1"}}})
                           .Add({.name = "relu1_off",
                                 .inputs = {"conv1_off:0"},
                                 .originals = {{"relu1"}},
                                 .outputs = {{"other", 0}, {"relu1", 0}}})
                           .Done());
  FusionRule rule = Fused();
  rule.AgainstUnfused(off);
  // The unfused operator has it as its second output.
  EXPECT_EQ(Said(rule.Output(*rule.Find("conv1relu1"), 0)), "relu1_off:1");
  EXPECT_EQ(Said(rule.Input(*rule.Find("conv1relu1"), 0)), "x:0");
  // Of the operators without an original the last one stays.
  EXPECT_TRUE(rule.Find("trans")->dropped);
  EXPECT_FALSE(rule.Find("cast")->dropped);
  EXPECT_FALSE(rule.Find("conv1relu1")->dropped);
}

}  // namespace
}  // namespace assay
