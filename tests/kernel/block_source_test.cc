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
  const std::string rows = Numbered(size_t{60} * 70 * 4);
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
  const std::string bytes = Numbered(size_t{100} * 100 * 4);
  for (const size_t left : {0, 5000, 40007}) {
    const Stored stored = Stored(DType::kF32, {100, 100}, bytes).ColumnMajor();
    Reader reader(stored, {0, bytes.size()}, ReadMode::kRead, 512);
    ASSERT_TRUE(reader.Step());
    stored.Truncate(left);
    EXPECT_EQ(reader.Outcome(), "the file shrank while it was read") << left;
  }
}

// Device layouts: channels or columns in blocks of 16.
constexpr int64_t kC0 = 16;

// (N, C, H W) as (N, C1, H W, 16).
ElementMap BlockedChannels(int64_t n, int64_t c, int64_t plane) {
  const int64_t c1 = (c + kC0 - 1) / kC0, image = c1 * plane * kC0;
  return {{PlainAxis(n, image), BlockedAxis(c, kC0, 1, plane * kC0),
           PlainAxis(plane, kC0)},
          static_cast<uint64_t>(n * image)};
}

// (M, N) as (N1, M1, 16, 16).
ElementMap Fractal(int64_t rows, int64_t columns) {
  const int64_t m1 = (rows + kC0 - 1) / kC0, n1 = (columns + kC0 - 1) / kC0;
  return {{BlockedAxis(rows, kC0, kC0, kC0 * kC0),
           BlockedAxis(columns, kC0, 1, m1 * kC0 * kC0)},
          static_cast<uint64_t>(n1 * m1 * kC0 * kC0)};
}

std::string InOrder(const ElementMap& map, const std::string& stored) {
  std::string out;
  const auto visit = [&](const auto& self, size_t axis, int64_t at) -> void {
    if (axis == map.axes.size()) {
      out += stored.substr(static_cast<size_t>(at) * 2, 2);
      return;
    }
    for (int64_t i = 0; i < map.axes[axis].extent; ++i) {
      self(self, axis + 1, at + map.axes[axis].At(i));
    }
  };
  visit(visit, 0, 0);
  return out;
}

const ElementMap kPanels[] = {
    BlockedChannels(2, 50, 900), BlockedChannels(3, 16, 7),
    BlockedChannels(1, 3, 10), Fractal(100, 300), Fractal(17, 1000)};

// The room holds all, several panels, one, or none.
TEST(BlockSource, PanelsOfDeviceLayouts) {
  for (const ElementMap& map : kPanels) {
    const std::string bytes = Numbered(map.stored * 2);
    const std::string rows = InOrder(map, bytes);
    const Stored stored =
        Stored(DType::kF16, {static_cast<int64_t>(map.stored)}, bytes)
            .MappedBy(map);
    for (const size_t buffer : {1 << 20, 300 << 10, 128 << 10, 70 << 10}) {
      for (const uint64_t begin : {0, 2, 512, 65536}) {
        if (begin > rows.size()) continue;
        Reader reader(stored, {begin, rows.size()}, ReadMode::kRead, 512,
                      buffer);
        EXPECT_TRUE(reader.Outcome() == rows.substr(begin))
            << map.stored << " " << buffer << " " << begin;
      }
    }
  }
}

TEST(BlockSource, PanelsOfAFileThatShrank) {
  const ElementMap map = BlockedChannels(2, 50, 900);
  for (const size_t left : {0, 1000, 200000}) {
    const Stored stored =
        Stored(DType::kF16, {static_cast<int64_t>(map.stored)},
               Numbered(map.stored * 2))
            .MappedBy(map);
    Reader reader(stored, {0, uint64_t{50} * 900 * 4}, ReadMode::kRead, 512,
                  128 << 10);
    ASSERT_TRUE(reader.Step());
    stored.Truncate(left);
    const std::string outcome = reader.Outcome();
    EXPECT_TRUE(outcome.starts_with("the file")) << outcome.substr(0, 40);
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
