#include "graphs/graph_kind.h"

#include <gtest/gtest.h>

#include "temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

TEST(GraphKind, KnowsNames) {
  const struct {
    std::string_view name;
    bool graph;
  } kRows[] = {
      {"ge_proto_00000005_Build.txt", true},
      {"ge_proto_5_graph_11_PreRunAfterBuild.txt", true},
      {"ge_proto_123456789_build.txt", true},
      {"ge_onnx_00000012_graph_1_Build.pbtxt", true},
      {"dynamo_original_graph_1_rank_0_pid_20_ts_20251010093825327878.txt",
       true},
      {"dynamo_optimized_graph_2.txt", true},
      {"model.om", true},
      {"MODEL.OM", true},
      {"ge_proto_Build.txt", false},
      {"ge_proto_00000005_Build.txt.json", false},
      {"ge_onnx_00000012_graph_1_Build.txt", false},
      {".om", false},
      {"fusion_result.json", false},
      {"graph.json", false},
      {"model.onnx", false},
      {"saved_model.pb", false},
      {"dynamo_notes.txt", false},
      {"", false},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(HasGraphName(row.name), row.graph) << row.name;
  }
}

TEST(GraphKind, SaysWhatAFileSeems) {
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "not a graph file; it looks like an empty file"},
      {"[1, 2]", "not a graph file; it looks like a JSON list"},
      {"{\"rules\": 1}", "not a graph file; it looks like other JSON"},
      {"a,b\n1,2\n", "not a graph file; it looks like other text"},
      {"PK\x03\x04zip", "not a graph file; it looks like a ZIP archive"},
      {"\x93NUMPY", "not a graph file; it looks like a NumPy array"},
  };
  for (const auto& row : kRows) {
    const TempFile file(".bin", row.bytes);
    const Result<Graph> graph = OpenGraph(file.path());
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().what, row.error);
    EXPECT_EQ(graph.error().file, file.path());
    EXPECT_FALSE(graph.error().hint.empty());
  }
  EXPECT_FALSE(OpenGraph("/no/such/file"));
}

TEST(GraphKind, SaysWhereJsonBreaks) {
  const struct {
    std::string bytes;
    uint64_t at;
  } kRows[] = {
      {"{", 1},
      {"{\"gra", 5},
      {"{\"graph\":" + std::string(1000000, '['), 1032},
      {"{\"x\":1 2}", 7},
  };
  for (const auto& row : kRows) {
    const TempFile file(".json", row.bytes);
    const Result<Graph> graph = OpenGraph(file.path());
    ASSERT_FALSE(graph);
    EXPECT_EQ(graph.error().offset, row.at) << graph.error().what;
  }
  // More than is looked at, and nothing wrong in that.
  const TempFile other(".json", "{\"x\":\"" + std::string(99999, 'y') + "\"}");
  EXPECT_EQ(OpenGraph(other.path()).error().what,
            "not a graph file; it looks like other JSON");
}

// The content counts, not the name.
TEST(GraphKind, LooksInside) {
  const TempFile text(".om", "op { name: 'a' }");
  const TempFile json(".txt", " {\"op\":[{\"name\":\"a\"}]}");
  const TempFile om(".json", ReadAll(TestData("graphs/plain.om")));
  EXPECT_EQ(OpenGraph(text.path())->kind, "ge-text");
  EXPECT_EQ(OpenGraph(json.path())->kind, "ge-json");
  EXPECT_EQ(OpenGraph(om.path())->kind, "om");
}

}  // namespace
}  // namespace assay
