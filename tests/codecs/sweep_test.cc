// Damages every sample in every place: the answer is a clear error or metadata
// that fit the file, never a crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "codecs/temp_file.h"

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
  if (t.dtype == DType::kOpaque) return;
  if (t.extent.encoding == Encoding::kRaw) {
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
       std::filesystem::directory_iterator(ASSAY_TEST_DATA "/codecs")) {
    const std::string suffix = entry.path().extension();
    if (FindCodec(suffix.substr(1))) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

TEST(Sweep, EveryTruncation) {
  for (const auto& sample : SampleFiles()) {
    const std::string bytes = ReadAll(sample);
    const TempFile file(sample.extension().string());
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
    const TempFile file(sample.extension().string());
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
