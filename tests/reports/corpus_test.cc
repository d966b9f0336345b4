// What the fuzzer of run files starts from, and what it found.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "reports/row_json.h"
#include "reports/run_file.h"
#include "test_paths.h"

namespace assay {
namespace {

TEST(RunFileCorpus, IsReplayed) {
  size_t files = 0;
  const std::filesystem::path folder =
      std::filesystem::path(FuzzCorpus()) / "run_file";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream in(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(in), {});
    if (IsRunFile(entry.path())) {
      const auto run = ReadRun(entry.path());
      if (!run) {
        EXPECT_FALSE(run.error().what.empty()) << entry.path();
      }
    }
    const auto row = RowFromJson(bytes);
    if (!row) {
      EXPECT_FALSE(row.error().what.empty()) << entry.path();
    }
    ++files;
  }
  EXPECT_GT(files, 1u);
}

}  // namespace
}  // namespace assay
