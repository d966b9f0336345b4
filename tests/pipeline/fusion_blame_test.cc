// Which fusion passes make the error: two comparisons and a graph.
#include "pipeline/fusion_blame.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

// Operators and the passes that made them.
GraphRef Make(
    const std::vector<std::pair<std::string, std::vector<std::string>>>& ops) {
  Graph graph;
  for (const auto& [name, passes] : ops) {
    Operator op{.name = graph.names.Intern(name)};
    for (const std::string& pass : passes) {
      op.passes.push_back(graph.names.Intern(pass));
    }
    graph.operators.push_back(std::move(op));
  }
  graph.Finish();
  return std::make_shared<const Graph>(std::move(graph));
}

Row MakeRow(const std::string& op, Verdict verdict, Cause cause,
            double rel_l2) {
  Row row{.name = op + ":output:0", .op = op};
  row.golden = {{.file = op + ".npy"}};
  row.verdict = verdict;
  row.cause = cause;
  row.metrics.Set(*FindMetric("rel_l2"), Number(rel_l2));
  return row;
}

std::vector<std::string> Passes(const FusionBlame& blame) {
  std::vector<std::string> passes;
  for (const auto& suspect : blame.suspects) passes.push_back(suspect.pass);
  return passes;
}

using Texts = std::vector<std::string>;
using enum Verdict;

TEST(FusionBlame, OriginsThatAreGoodWithoutFusion) {
  const std::vector<GraphRef> graphs = {Make({{"fused", {"Guilty"}},
                                              {"later", {"Innocent"}},
                                              {"other", {"Innocent"}}})};
  Comparison on, off;
  on.rows = {MakeRow("fused", kFail, Cause::kOrigin, 0.5),
             MakeRow("later", kFail, Cause::kInherited, 0.5)};
  off.rows = {MakeRow("fused", kPass, Cause::kNone, 1e-4),
              MakeRow("later", kPass, Cause::kNone, 1e-4)};
  const FusionBlame blame = BlameFusion(on, off, graphs);
  ASSERT_EQ(Passes(blame), Texts{"Guilty"});
  EXPECT_EQ(blame.suspects[0].made, 1u);
  EXPECT_EQ(blame.suspects[0].operators[0].off, 1e-4);
  EXPECT_TRUE(blame.by_origin);
}

TEST(FusionBlame, WhatStaysBadWasNotFusion) {
  const std::vector<GraphRef> graphs = {
      Make({{"a", {"P"}}, {"b", {"Q"}}, {"c", {}}})};
  Comparison on, off;
  on.rows = {MakeRow("a", kFail, Cause::kOrigin, 0.5),
             MakeRow("b", kFail, Cause::kOrigin, 0.5),
             MakeRow("c", kFail, Cause::kOrigin, 0.5)};
  off.rows = {MakeRow("a", kFail, Cause::kOrigin, 0.49)};
  const FusionBlame blame = BlameFusion(on, off, graphs);
  EXPECT_EQ(Passes(blame), Texts{"Q"});
  EXPECT_FALSE(blame.suspects[0].operators[0].off);
  EXPECT_EQ(blame.cleared, Texts{"a"});
  EXPECT_EQ(blame.not_fused, Texts{"c"});
}

TEST(FusionBlame, TheMostSuspiciousFirst) {
  const std::vector<GraphRef> graphs = {
      Make({{"x", {"Often", "Once"}}, {"y", {"Often"}}, {"z", {"Weak"}}})};
  Comparison on, off;
  on.rows = {MakeRow("z", kUnsure, Cause::kOrigin, 0.9),
             MakeRow("x", kFail, Cause::kOrigin, 0.1)};
  EXPECT_EQ(Passes(BlameFusion(on, off, graphs)),
            (Texts{"Once", "Often", "Weak"}));
}

// What an error grows to later is an origin too, of a pass with no good result.
TEST(FusionBlame, TheRunsFirstOriginBeatsALaterOne) {
  const std::vector<GraphRef> graphs = {
      Make({{"x", {"Often"}}, {"y", {"Often"}}, {"z", {"Later"}}})};
  Comparison on, off;
  on.origins = {"x", "z"};
  on.rows = {MakeRow("x", kUnsure, Cause::kOrigin, 0.1),
             MakeRow("z", kUnsure, Cause::kOrigin, 0.9)};
  EXPECT_EQ(Passes(BlameFusion(on, off, graphs)), (Texts{"Often", "Later"}));
}

TEST(FusionBlame, WithoutOriginsEveryBadRowCounts) {
  const std::vector<GraphRef> graphs = {Make({{"x", {"P"}}, {"y", {"Q"}}})};
  Comparison on, off;
  on.rows = {MakeRow("x", kPass, Cause::kNone, 0),
             MakeRow("y", kUnsure, Cause::kUnknown, 0.1)};
  const FusionBlame blame = BlameFusion(on, off, graphs);
  EXPECT_EQ(Passes(blame), Texts{"Q"});
  EXPECT_FALSE(blame.by_origin);
}

TEST(FusionBlame, SwitchesOff) {
  FusionBlame blame;
  blame.suspects = {{.pass = "ConvPass"}, {.pass = "TbeConvPass"}};
  const FusionSwitch off = SwitchOff(blame);
  ASSERT_EQ(off.graph_passes.size(), 1u);
  EXPECT_EQ(off.graph_passes[0].name, "ConvPass");
  ASSERT_EQ(off.ub_passes.size(), 2u);  // nobody says where ConvPass belongs
  EXPECT_FALSE(off.ub_passes[1].on);
}

}  // namespace
}  // namespace assay
