// What the fuzzers of framework graphs and fusion files start from, and what
// they found.
#include <gtest/gtest.h>

#include <filesystem>

#include "graphs/fusion_result.h"
#include "graphs/fusion_switch.h"
#include "graphs/graph_kind.h"
#include "test_paths.h"

namespace assay {
namespace {

template <typename Read>
void Replay(const std::string& corpus, const Read& read) {
  size_t files = 0;
  const auto folder = std::filesystem::path(FuzzCorpus()) / corpus;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto result = read(entry.path().string());
    if (!result) {
      EXPECT_FALSE(result.error().what.empty()) << entry.path();
      EXPECT_FALSE(result.error().file.empty()) << entry.path();
    }
    ++files;
  }
  EXPECT_GT(files, 1u) << corpus;
}

Result<Graph> ReadAs(std::string_view kind, const std::string& path) {
  for (const GraphKind* known : AllGraphKinds()) {
    if (known->name != kind) continue;
    ASSIGN_OR_RETURN(InputFile file, InputFile::Open(path));
    return known->read(file);
  }
  return Internal("no such kind");
}

TEST(FrameworkCorpus, IsReplayed) {
  const struct {
    std::string corpus, kind;
  } kRows[] = {{"onnx_model", "onnx"},
               {"ge_onnx", "ge-onnx"},
               {"tensorflow", "tensorflow"}};
  for (const auto& row : kRows) {
    Replay(row.corpus,
           [&](const std::string& path) { return ReadAs(row.kind, path); });
  }
  Replay("fusion_result", ReadFusionResult);
  Replay("fusion_switch", ReadFusionSwitch);
}

}  // namespace
}  // namespace assay
