// What the fuzzer of --map files starts from, and what it found.
#include <gtest/gtest.h>

#include <filesystem>

#include "pairing/map_file.h"
#include "test_paths.h"

namespace assay {
namespace {

TEST(MapFileCorpus, IsReplayed) {
  size_t files = 0;
  const std::filesystem::path folder =
      std::filesystem::path(FuzzCorpus()) / "map_file";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto lines = ReadMap(entry.path());
    if (!lines) {
      EXPECT_FALSE(lines.error().what.empty()) << entry.path();
    }
    ++files;
  }
  EXPECT_GT(files, 1u);
}

}  // namespace
}  // namespace assay
