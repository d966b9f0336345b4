// Damages every sample in every place and compares it with what it was: an
// error row, or the touched element alone differs; never a crash, a hang, an
// internal error or memory beyond the file's size + 64 MB.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

#include "codecs/codec.h"
#include "pipeline/compare_with.h"
#include "temp_file.h"
#include "test_paths.h"

// No single allocation of the sanitised build may be larger.
extern "C" const char* __asan_default_options();
extern "C" const char* __asan_default_options() {
  return "max_allocation_size_mb=64";
}

namespace assay {
namespace {

// Elsewhere the system refuses memory beyond what is in use now + 64 MB.
class MemoryLimit {
 public:
  MemoryLimit() {
#ifndef ASSAY_SANITIZED
    getrlimit(RLIMIT_DATA, &before_);
    rlimit now = before_;
    now.rlim_cur = (InUse() + 64) << 20;
    setrlimit(RLIMIT_DATA, &now);
#endif
  }
  ~MemoryLimit() {
#ifndef ASSAY_SANITIZED
    setrlimit(RLIMIT_DATA, &before_);
#endif
  }

 private:
  static rlim_t InUse() {  // in MiB
    std::ifstream in("/proc/self/statm");
    rlim_t pages = 0;
    for (int i = 0; i < 6; ++i) in >> pages;  // the sixth is data
    return pages * 4096 >> 20;
  }
  rlimit before_ = {};
};

std::vector<std::filesystem::path> Samples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(TestData("codecs"))) {
    const std::string suffix = entry.path().extension();
    if (suffix.size() > 1 && FindCodec(suffix.substr(1)) != nullptr) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

// All places of a small file, and several hundred of a large one: the codecs'
// own sweep goes through every byte.
size_t StepOf(size_t size) { return 1 + size / 512; }

void ExpectClear(const Error& error) {
  ASSERT_NE(error.what, "");
  ASSERT_NE(error.file, "") << error.what;
  ASSERT_NE(error.code, ErrorCode::kInternal) << error.Text();
}

// The comparison of a sample with its damaged copy, if there is one.
std::optional<Comparison> CompareDamaged(const CompareOptions& options) {
  auto c = TryCompare(options);
  if (!c) {
    ExpectClear(c.error());
    return std::nullopt;
  }
  ExpectConsistent(*c);
  bool error = false;
  for (const Row& row : c->rows) {
    if (!row.error) continue;
    error = true;
    ExpectClear(*row.error);
  }
  if (error) {
    EXPECT_EQ(c->exit, 2);
  }
  return *std::move(c);
}

TEST(Damage, EveryTruncation) {
  const MemoryLimit limit;
  for (const auto& sample : Samples()) {
    const std::string bytes = Content(sample);
    const TempFile file(sample.extension().string());
    const CompareOptions options = Options(sample, file.path());
    for (size_t size = 0; size < bytes.size(); size += StepOf(bytes.size())) {
      file.Write(bytes.substr(0, size));
      ASSERT_NO_FATAL_FAILURE(CompareDamaged(options))
          << sample << " cut to " << size;
    }
  }
}

TEST(Damage, EveryByte) {
  const MemoryLimit limit;
  for (const auto& sample : Samples()) {
    std::string bytes = Content(sample);
    const TempFile file(sample.extension().string());
    const CompareOptions options = Options(sample, file.path());
    for (size_t at = 0; at < bytes.size(); at += StepOf(bytes.size())) {
      for (const int mask : {0x01, 0x80}) {
        bytes[at] = static_cast<char>(bytes[at] ^ mask);
        file.Write(bytes);
        ASSERT_NO_FATAL_FAILURE(CompareDamaged(options))
            << sample << " byte " << at << " xor " << mask;
        bytes[at] = static_cast<char>(bytes[at] ^ mask);
      }
    }
  }
}

uint64_t EqualReals(const Row& row) {
  return static_cast<uint64_t>(row.metrics.Get("equal").value_or(0));
}
uint64_t Reals(const Row& row) {
  return static_cast<uint64_t>(row.metrics.Get("count").value_or(0));
}

// Everything but the real that holds the byte is as it was.
void ExpectOnlyTouched(const Comparison& c, const StoredTensor& tensor,
                       uint64_t byte) {
  for (const Row& row : c.rows) {
    if (row.verdict == Verdict::kSkipped ||
        row.golden[0].tensor != tensor.name) {
      continue;
    }
    ASSERT_FALSE(row.error) << row.error->Text();
    ASSERT_LE(Reals(row) - EqualReals(row), 1u) << row.why;
    if (row.worst.empty() || !tensor.strides.empty() ||
        IsPacked(tensor.layout)) {
      continue;
    }
    const bool moved = EqualReals(row) < Reals(row);
    const uint64_t element = byte * 8 / Info(tensor.dtype).bits;
    if (moved && Info(tensor.dtype).bits >= 8) {
      ASSERT_EQ(row.worst[0].index, Coordinates(element, tensor.shape));
    }
  }
  for (const Row& row : c.rows) {  // the neighbours
    if (row.golden[0].tensor == tensor.name) continue;
    ASSERT_EQ(EqualReals(row), Reals(row)) << row.name;
  }
}

// Compressed bytes have a checksum: no damage to them goes unseen.
void ExpectCaught(const Comparison& c, const StoredTensor& tensor) {
  for (const Row& row : c.rows) {
    if (row.golden[0].tensor != tensor.name) continue;
    const bool shape = row.why.starts_with("shape mismatch");
    const bool type = row.why.starts_with("target holds no numbers");
    // Bits that fill up the last byte mean nothing.
    const bool same = !row.error && EqualReals(row) == Reals(row);
    ASSERT_TRUE(row.error || shape || type || same) << row.why;
  }
}

void DamageValues(const std::filesystem::path& sample,
                  const StoredTensor& tensor) {
  std::string bytes = Content(sample);
  const TempFile file(sample.extension().string());
  const CompareOptions options = Options(sample, file.path());
  for (uint64_t i = 0; i < tensor.extent.length; i += StepOf(bytes.size())) {
    char& byte = bytes[tensor.extent.offset + i];
    byte = static_cast<char>(byte ^ 0x40);
    file.Write(bytes);
    byte = static_cast<char>(byte ^ 0x40);
    SCOPED_TRACE(fmt::format("{} {} byte {}", sample.string(), tensor.name, i));
    const auto c = CompareDamaged(options);
    ASSERT_TRUE(c);
    if (tensor.extent.encoding == Encoding::kRaw) {
      ASSERT_NO_FATAL_FAILURE(ExpectOnlyTouched(*c, tensor, i));
    } else if (tensor.extent.encoding == Encoding::kDeflate) {
      ASSERT_NO_FATAL_FAILURE(ExpectCaught(*c, tensor));
    }
  }
}

TEST(Damage, OfValuesStaysWhereItIs) {
  const MemoryLimit limit;
  for (const auto& sample : Samples()) {
    const auto listing = ListFile(sample, {});
    if (!listing) continue;  // samples that must be refused
    // There several tensors may look at the same values.
    if (listing->codec == FindCodec("pt") ||
        listing->codec == FindCodec("hdf5")) {
      continue;
    }
    for (const StoredTensor& tensor : listing->tensors) {
      if (!HasNumbers(tensor)) continue;
      ASSERT_NO_FATAL_FAILURE(DamageValues(sample, tensor));
    }
  }
}

}  // namespace
}  // namespace assay
