#include "kernel/block_source.h"

#include <gtest/gtest.h>

#include "kernel/stored.h"

namespace assay {
namespace {

constexpr ReadMode kModes[] = {ReadMode::kRead, ReadMode::kMap};
constexpr size_t kLarge = (33 << 20) + 1000;  // three windows of a mapping

std::string Numbered(size_t n) {
  std::string bytes(n, '\0');
  for (size_t i = 0; i < n; ++i) {
    bytes[i] = static_cast<char>(1 + (i ^ i >> 8 ^ i >> 16) % 255);  // never 0
  }
  return bytes;
}

// All blocks of a range, and the end; the bytes or the error.
class Reader {
 public:
  Reader(const Stored& stored, BlockRange range, ReadMode mode, size_t block,
         size_t buffer = 1 << 16)
      : buffer_(buffer), block_(block), left_(range.end - range.begin) {
    auto source = OpenBlocks(stored.open(), range, mode,
                             std::as_writable_bytes(std::span(buffer_)));
    if (source) {
      source_ = *std::move(source);
    } else {
      error_ = source.error().what;
    }
  }

  // False at the end, and after an error.
  bool Step() {
    const size_t n = std::min<uint64_t>(block_, left_);
    if (n == 0 || !error_.empty()) return false;
    const auto block = source_->Next(n);
    if (!block) {
      error_ = block.error().what;
      return false;
    }
    out_.append(reinterpret_cast<const char*>(*block), n);
    left_ -= n;
    return true;
  }

  std::string Outcome() {
    while (Step()) {
    }
    if (!error_.empty()) return error_;
    const Status end = source_->Finish();
    return end ? out_ : end.error().what;
  }

 private:
  std::vector<char> buffer_;
  size_t block_;
  uint64_t left_;
  std::unique_ptr<BlockSource> source_;
  std::string out_, error_;
};

TEST(BlockSource, BothModesGiveTheSameBytes) {
  const std::string bytes = Numbered(100000);
  const Stored stored(DType::kU8, {100000}, bytes, 77);
  const struct {
    BlockRange range;
    size_t block, buffer;
  } kRows[] = {
      {{0, 100000}, 8192, 65536},     {{0, 100000}, 8192, 8192},
      {{0, 100000}, 8192, 20000},     {{8192, 16384}, 8192, 65536},
      {{16384, 100000}, 8192, 65536}, {{0, 10}, 8192, 65536},
      {{0, 0}, 8192, 65536},          {{99999, 100000}, 8192, 65536},
  };
  for (const auto& row : kRows) {
    for (const ReadMode mode : kModes) {
      Reader reader(stored, row.range, mode, row.block, row.buffer);
      EXPECT_TRUE(
          reader.Outcome() ==
          bytes.substr(row.range.begin, row.range.end - row.range.begin));
    }
  }
}

TEST(BlockSource, GoesOverManyWindows) {
  const std::string bytes = Numbered(kLarge);
  const Stored stored(DType::kU8, {kLarge}, bytes, 100);
  for (const ReadMode mode : kModes) {
    EXPECT_TRUE(Reader(stored, {0, kLarge}, mode, 32768).Outcome() == bytes);
  }
}

// Truncated before the first block, and after some were read.
TEST(BlockSource, SaysThatTheFileShrank) {
  const struct {
    size_t steps, left;
  } kRows[] = {{0, 5000},
               {1, 5000},
               {600, 18 << 20},
               {1, kLarge / 2},
               {600, kLarge + 99}};
  const std::string bytes = Numbered(kLarge);
  for (const auto& row : kRows) {
    for (const ReadMode mode : kModes) {
      const Stored stored(DType::kU8, {kLarge}, bytes, 100);
      Reader reader(stored, {0, kLarge}, mode, 32768);
      for (size_t i = 0; i < row.steps; ++i) ASSERT_TRUE(reader.Step());
      stored.Truncate(row.left);
      const std::string outcome = reader.Outcome();
      EXPECT_TRUE(outcome.starts_with("the file")) << outcome.substr(0, 40);
    }
  }
}

TEST(BlockSource, TurnsColumnsIntoRows) {
  const std::string rows = Numbered(60 * 70 * 4);
  const std::string columns = Transposed(rows, 60, 70, 4);
  const Stored raw = Stored(DType::kF32, {60, 70}, columns).ColumnMajor();
  const Stored packed =
      Stored::Compressed(DType::kF32, {60, 70}, columns).ColumnMajor();
  for (const ReadMode mode : kModes) {
    EXPECT_EQ(Reader(raw, {0, rows.size()}, mode, 512).Outcome(), rows);
    EXPECT_EQ(Reader(raw, {1024, rows.size()}, mode, 512).Outcome(),
              rows.substr(1024));
    EXPECT_EQ(Reader(packed, {0, rows.size()}, mode, 512).Outcome(), rows);
  }
  EXPECT_TRUE(IsSeekable(*raw.open().view));
  EXPECT_FALSE(IsSeekable(*packed.open().view));
}

TEST(BlockSource, ColumnsOfAFileThatShrank) {
  const std::string bytes = Numbered(100 * 100 * 4);
  for (const size_t left : {0, 5000, 40007}) {
    const Stored stored = Stored(DType::kF32, {100, 100}, bytes).ColumnMajor();
    Reader reader(stored, {0, bytes.size()}, ReadMode::kRead, 512);
    ASSERT_TRUE(reader.Step());
    stored.Truncate(left);
    EXPECT_EQ(reader.Outcome(), "the file shrank while it was read") << left;
  }
}

TEST(BlockSource, NothingToRead) {
  for (const size_t before : {8, 4096}) {
    const Stored raw(DType::kF32, {0, 3}, "", before);
    const Stored columns =
        Stored(DType::kF32, {0, 3}, "", before).ColumnMajor();
    for (const ReadMode mode : kModes) {
      EXPECT_EQ(Reader(raw, {0, 0}, mode, 512).Outcome(), "");
      EXPECT_EQ(Reader(columns, {0, 0}, mode, 512).Outcome(), "");
    }
  }
  const Stored packed = Stored::Compressed(DType::kF32, {0, 3}, "");
  EXPECT_EQ(Reader(packed, {0, 0}, ReadMode::kRead, 512).Outcome(), "");
}

TEST(BlockSource, StreamsAreCheckedAtTheEnd) {
  Stored stored = Stored::Compressed(DType::kU8, {1000}, Numbered(1000));
  stored.tensor.extent.crc ^= 1;
  for (const ReadMode mode : kModes) {
    EXPECT_EQ(Reader(stored, {0, 1000}, mode, 100).Outcome(),
              "the checksum does not match");
  }
}

}  // namespace
}  // namespace assay
