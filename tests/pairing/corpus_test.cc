// What the fuzzers of the files users write start from, and what they found.
#include <gtest/gtest.h>

#include <filesystem>

#include "pairing/map_file.h"
#include "pairing/name_log.h"
#include "test_paths.h"

namespace assay {
namespace {

template <typename Read>
void Replay(const char* name, const Read& read) {
  size_t files = 0;
  const std::filesystem::path folder =
      std::filesystem::path(FuzzCorpus()) / name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto lines = read(entry.path());
    if (!lines) {
      EXPECT_FALSE(lines.error().what.empty()) << entry.path();
    }
    ++files;
  }
  EXPECT_GT(files, 1u);
}

TEST(PairingCorpus, IsReplayed) {
  Replay("map_file", ReadMap);
  Replay("name_log", ReadNameLog);
}

}  // namespace
}  // namespace assay
