// What the fuzzers start from, and what they found, never crashes a codec:
// fuzz/corpus/CODEC/* is listed by that codec.
#include <gtest/gtest.h>

#include <filesystem>

#include "codecs/temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

TEST(Corpus, IsReplayed) {
  size_t files = 0;
  for (const Codec* codec : AllCodecs()) {
    if (codec->list == nullptr) continue;  // only written
    const std::filesystem::path folder =
        std::filesystem::path(FuzzCorpus()) / codec->name;
    ASSERT_TRUE(std::filesystem::is_directory(folder)) << folder;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const auto file = InputFile::Open(entry.path());
      ASSERT_TRUE(file);
      const auto tensors = codec->list(*file, {.dtype = DType::kF32});
      if (!tensors) {
        EXPECT_FALSE(tensors.error().what.empty()) << entry.path();
        EXPECT_FALSE(tensors.error().file.empty()) << entry.path();
      }
      ++files;
    }
  }
  EXPECT_GT(files, 50u);
}

}  // namespace
}  // namespace assay
