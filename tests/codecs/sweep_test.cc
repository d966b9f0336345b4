// Damages every sample in every place: the answer is a clear error or metadata
// that fit the file, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "base/text.h"
#include "codecs/temp_file.h"
#include "core/stored_view.h"
#include "test_paths.h"

namespace assay {
namespace {

constexpr size_t kSwept = 2048;  // bytes from the start; most samples whole

void ExpectConsistent(const StoredTensor& t, uint64_t size) {
  ASSERT_LE(t.extent.offset, size);
  ASSERT_LE(t.extent.length, size - t.extent.offset);
  const auto count = ElementCount(t.shape);
  ASSERT_TRUE(count);
  const auto bytes = ByteCount(t.dtype, *count);
  ASSERT_TRUE(bytes);
  if (!HasNumbers(t)) return;
  if (t.extent.encoding == Encoding::kHdf5) {
    ASSERT_LE(*bytes, 1032 * size + (64 << 20));  // never written: no bytes
  } else if (!t.strides.empty() && t.extent.encoding == Encoding::kRaw) {
    const uint64_t stored = PlainView("", t).map->stored;
    ASSERT_EQ(t.extent.length, *ByteCount(t.dtype, stored));
  } else if (t.extent.encoding == Encoding::kRaw) {
    ASSERT_EQ(t.extent.length, *bytes);
  } else {
    ASSERT_LE(*bytes, 1032 * t.extent.length + 1024);
  }
}

void ExpectSane(const TempFile& file, const std::string& bytes) {
  const auto listing = ListFile(file.path(), {});
  if (!listing) {
    ASSERT_FALSE(listing.error().what.empty());
    ASSERT_FALSE(listing.error().file.empty());
    ASSERT_NE(listing.error().code, ErrorCode::kInternal)
        << listing.error().Text();
    return;
  }
  for (const StoredTensor& tensor : listing->tensors) {
    ExpectConsistent(tensor, bytes.size());
  }
}

std::vector<std::filesystem::path> SampleFiles() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(TestData("codecs"))) {
    const auto listing = ListFile(entry.path(), {});
    if (!listing || listing->codec) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

// What a damaged copy is still known by: where the suffix says nothing, that
// is the whole name.
std::string SuffixOf(const std::filesystem::path& sample) {
  const std::string name = sample.filename();
  std::string_view longest;
  for (const Codec* codec : AllCodecs()) {
    for (const std::string_view suffix : Split(codec->extensions, ' ')) {
      if (name.ends_with(suffix) && suffix.size() > longest.size()) {
        longest = suffix;
      }
    }
  }
  return longest.empty() ? "." + name : std::string(longest);
}

TEST(Sweep, EveryTruncation) {
  for (const auto& sample : SampleFiles()) {
    const std::string bytes = ReadAll(sample);
    const TempFile file(SuffixOf(sample));
    for (size_t size = 0; size < bytes.size(); ++size) {
      file.Write(bytes.substr(0, size));
      ASSERT_NO_FATAL_FAILURE(ExpectSane(file, bytes.substr(0, size)))
          << sample << " cut to " << size;
    }
  }
}

TEST(Sweep, EveryDamagedByte) {
  for (const auto& sample : SampleFiles()) {
    std::string bytes = ReadAll(sample);
    const TempFile file(SuffixOf(sample));
    for (size_t at = 0; at < std::min(bytes.size(), kSwept); ++at) {
      for (const int mask : {0x01, 0x04, 0x20, 0x80, 0xff}) {
        bytes[at] = static_cast<char>(bytes[at] ^ mask);
        file.Write(bytes);
        ASSERT_NO_FATAL_FAILURE(ExpectSane(file, bytes))
            << sample << " byte " << at << " xor " << mask;
        bytes[at] = static_cast<char>(bytes[at] ^ mask);
      }
    }
  }
}

}  // namespace
}  // namespace assay
