// What the fuzzers of GE graphs start from, and what they found.
#include <gtest/gtest.h>

#include <filesystem>

#include "graphs/graph_kind.h"
#include "test_paths.h"

namespace assay {
namespace {

TEST(GeCorpus, IsReplayed) {
  size_t files = 0, graphs = 0;
  for (const char* corpus : {"ge_json", "ge_text", "om"}) {
    const auto folder = std::filesystem::path(FuzzCorpus()) / corpus;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const Result<Graph> graph = OpenGraph(entry.path());
      ++files;
      if (graph) {
        ++graphs;
      } else {
        EXPECT_FALSE(graph.error().what.empty()) << entry.path();
        EXPECT_FALSE(graph.error().file.empty()) << entry.path();
      }
    }
  }
  EXPECT_GT(files, 10u);
  EXPECT_GT(graphs, 8u);
}

}  // namespace
}  // namespace assay
