// fusion_result.json and fusion switch files.
#include <gtest/gtest.h>

#include <filesystem>

#include "graphs/fusion_result.h"
#include "graphs/fusion_switch.h"
#include "temp_tree.h"
#include "test_paths.h"

namespace assay {
namespace {

std::string Sample(const std::string& name) {
  return TestData("graphs/") + name;
}

TEST(FusionResult, ObjectsInARow) {
  const auto graphs = ReadFusionResult(Sample("fusion_result.json"));
  ASSERT_TRUE(graphs) << graphs.error().Text();
  ASSERT_EQ(graphs->size(), 2u);
  const GraphFusions& first = (*graphs)[0];
  EXPECT_EQ(first.graph, "0_1");
  ASSERT_EQ(first.graph_passes.size(), 2u);
  EXPECT_EQ(first.graph_passes[0].name, "ConvBatchnormFusionPass");
  EXPECT_EQ(first.graph_passes[0].effects, 1);
  EXPECT_EQ(first.graph_passes[1].matches, 3);
  EXPECT_EQ((*graphs)[1].graph, "0_11");
  EXPECT_EQ((*graphs)[1].ub_passes[0].effects, 4);
}

TEST(FusionResult, GraphsAsMembers) {
  const auto graphs = ReadFusionResult(Sample("fusion_result_keyed.json"));
  ASSERT_TRUE(graphs) << graphs.error().Text();
  ASSERT_EQ(graphs->size(), 2u);
  EXPECT_EQ((*graphs)[0].graph, "0_0");
  EXPECT_EQ((*graphs)[0].ub_passes[0].effects, 2);
  EXPECT_EQ((*graphs)[0].ub_passes[0].repository_hits, 0);
  EXPECT_EQ((*graphs)[1].graph, "0_1");
}

TEST(FusionResult, SaysWhatIsWrong) {
  std::string nested;
  for (int i = 0; i < 1000000; ++i) nested += "{\"a\":";
  const struct {
    std::string text, error;
    uint64_t line;
  } kRows[] = {
      {"{\"graph_fusion\":{}}\n{\"ub_fusion\":[]}", "the passes are no object",
       2},
      {"{\"graph_fusion\":{\"P\":\n{\"effect_times\":\"x\"}}}",
       "this is no count", 2},
      {"{\"graph_fusion\":{\"P\":{\"effect_times\":-1}}}", "this is no count",
       1},
      {"{\"graphId\":{}}", "the graph's number is no text", 1},
      {"{\"session_and_graph_id_0\":1}", "a graph's passes are no object", 1},
      {"{}\n\n7", "no fusion result: an object is wanted here", 3},
      {"{\"graph_fusion\":{}}{", "", 1},
      {nested, "", 1},
      {"{\"a\":1}", "no fusion result in it", 0},
  };
  const TempTree tree;
  for (const auto& row : kRows) {
    const auto graphs = ReadFusionResult(tree.Write("f.json", row.text));
    ASSERT_FALSE(graphs) << row.text;
    EXPECT_NE(graphs.error().what.find(row.error), std::string::npos)
        << graphs.error().Text();
    EXPECT_EQ(graphs.error().line.value_or(0), row.line) << row.text;
    EXPECT_TRUE(graphs.error().offset) << row.text;
  }
}

TEST(FusionSwitch, OnAndOff) {
  const auto passes = ReadFusionSwitch(Sample("fusion_switch.cfg"));
  ASSERT_TRUE(passes) << passes.error().Text();
  ASSERT_EQ(passes->graph_passes.size(), 2u);
  EXPECT_TRUE(passes->graph_passes[0].on);
  EXPECT_EQ(passes->graph_passes[1].name, "ConvBatchnormFusionPass");
  EXPECT_FALSE(passes->graph_passes[1].on);
  ASSERT_EQ(passes->ub_passes.size(), 1u);
  EXPECT_FALSE(passes->ub_passes[0].on);
}

TEST(FusionSwitch, SaysWhatIsWrong) {
  const struct {
    std::string text, error, hint;
    uint64_t line;
  } kRows[] = {
      {"{\"switch\":{}}", "unknown key 'switch'", "did you mean 'Switch'?", 1},
      {"{\"Switch\":\n{\"GraphFussion\":{}}}", "unknown key 'GraphFussion'",
       "did you mean 'GraphFusion'?", 2},
      {"{\"Switch\":{\"UBFusion\":{\n\"P\":\"On\"}}}", "'P' is set to 'On'",
       "\"on\" or \"off\"", 2},
      {"{\"Switch\":{\"UBFusion\":{\"P\":true}}}", "'P' is set to 'true'",
       "\"on\" or \"off\"", 1},
      {"{\"Switch\":{\"UBFusion\":[]}}", "'UBFusion' is no object", "the form",
       1},
      {"{}", "no 'Switch' in it", "the form", 1},
      {"{\"Switch\":{}} 7", "", "", 1},
      {"{\"Switch\":{\"UBFusion\":{\"P\":\"on\"", "", "", 1},
  };
  const TempTree tree;
  for (const auto& row : kRows) {
    const auto passes = ReadFusionSwitch(tree.Write("s.cfg", row.text));
    ASSERT_FALSE(passes) << row.text;
    EXPECT_NE(passes.error().what.find(row.error), std::string::npos)
        << passes.error().Text();
    EXPECT_NE(passes.error().hint.find(row.hint), std::string::npos)
        << passes.error().Text();
    EXPECT_EQ(passes.error().line, row.line) << passes.error().Text();
  }
}

TEST(FusionSwitch, TheLastOfTwoCounts) {
  const TempTree tree;
  const auto passes = ReadFusionSwitch(
      tree.Write("s.cfg", R"({"Switch":{"UBFusion":{"P":"on","P":"off"}}})"));
  ASSERT_TRUE(passes);
  ASSERT_EQ(passes->ub_passes.size(), 1u);
  EXPECT_FALSE(passes->ub_passes[0].on);
  EXPECT_EQ(passes->warnings.size(), 1u);
}

TEST(FusionFiles, AreRecognised) {
  const struct {
    std::string name, head;
    bool result, is_switch;
  } kRows[] = {
      {"fusion_result.json", "", true, false},
      {"x.json", "{\"graphId\":\"0\"", true, false},
      {"x.json", "{ \"session_and_graph_id_0_1\" : {", true, false},
      {"x.cfg", "{\"Switch\":", false, true},
      {"fusion_switch.cfg", "", false, true},
      {"x.json", "{\"graph\":[", false, false},
      {"x.json", "", false, false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(IsFusionResult(row.name, row.head), row.result) << row.head;
    EXPECT_EQ(IsFusionSwitch(row.name, row.head), row.is_switch) << row.head;
  }
}

TEST(FusionSwitch, WhatIsWrittenReadsBack) {
  const TempTree tree;
  const FusionSwitch wanted{
      .graph_passes = {{"A \"quoted\" pass", false}, {"ALL", true}},
      .ub_passes = {{"TbePass", false}}};
  const std::string path = tree.Write("s.cfg", FusionSwitchFile(wanted));
  const auto read = ReadFusionSwitch(path);
  ASSERT_TRUE(read) << read.error().Text();
  ASSERT_EQ(read->graph_passes.size(), 2u);
  EXPECT_EQ(read->graph_passes[0].name, "A \"quoted\" pass");
  EXPECT_FALSE(read->graph_passes[0].on);
  EXPECT_TRUE(read->graph_passes[1].on);
  ASSERT_EQ(read->ub_passes.size(), 1u);
  EXPECT_EQ(read->ub_passes[0].name, "TbePass");
}

}  // namespace
}  // namespace assay
