#include "kernel/pair_blocks.h"

#include <gtest/gtest.h>

#include "kernel/reduce.h"
#include "kernel/stored.h"

namespace assay {
namespace {

constexpr size_t kRows = 3, kColumns = 6000, kCount = kRows * kColumns;
constexpr ReadMode kModes[] = {ReadMode::kRead, ReadMode::kMap};

template <typename T>
std::vector<T> Count(size_t n) {
  std::vector<T> out(n);
  for (size_t i = 0; i < n; ++i) out[i] = static_cast<T>(i);
  return out;
}

double At(const void* tile, TileType type, size_t i) {
  switch (type) {
    case TileType::kF32:
      return static_cast<const float*>(tile)[i];
    case TileType::kF64:
      return static_cast<const double*>(tile)[i];
    case TileType::kI64:
      break;
  }
  return static_cast<double>(static_cast<const int64_t*>(tile)[i]);
}

// Both sides hold 0, 1, 2, … modulo `modulus`: checks each number and place.
void ExpectCounts(const Stored& golden, const Stored& target, BlockRange reals,
                  ReadMode mode, uint64_t modulus = ~0ull) {
  const WorkBuffers buffers;
  auto blocks =
      PairBlocks::Open(golden.open(), target.open(), reals, mode, buffers);
  ASSERT_TRUE(blocks) << blocks.error().Text();
  uint64_t next = reals.begin;
  while (true) {
    const auto tile = blocks->Next();
    ASSERT_TRUE(tile) << tile.error().Text();
    ASSERT_EQ(tile->base, next);
    if (tile->n == 0) break;
    for (size_t i = 0; i < tile->n; ++i, ++next) {
      const auto wanted = static_cast<double>(next % modulus);
      ASSERT_EQ(At(tile->golden, tile->type, i), wanted) << next;
      ASSERT_EQ(At(tile->target, tile->type, i), wanted) << next;
    }
  }
  EXPECT_EQ(next, reals.end);
}

TEST(PairBlocks, EveryWayToStoreAFloat) {
  const std::string rows = BytesOf(Count<float>(kCount));
  const std::string columns = Transposed(rows, kRows, kColumns, 4);
  const Shape shape = {kRows, kColumns};
  const Stored plain(DType::kF32, shape, rows);
  const Stored kStored[] = {
      Stored(DType::kF32, shape, rows, 5),  // not aligned
      Stored(DType::kF32, shape, Swapped(rows, 4)).BigEndian(),
      Stored(DType::kF32, shape, columns).ColumnMajor(),
      Stored(DType::kF32, shape, Swapped(columns, 4)).ColumnMajor().BigEndian(),
      Stored::Compressed(DType::kF32, shape, rows),
      Stored::Compressed(DType::kF32, shape, columns).ColumnMajor(),
      Stored(DType::kF64, shape, BytesOf(Count<double>(kCount))),
      Stored(DType::kI32, shape, BytesOf(Count<int32_t>(kCount))),
      Stored::Packed(DType::kI32, shape, BytesOf(Count<int32_t>(kCount))),
      Stored::Packed(DType::kU16, shape, BytesOf(Count<uint16_t>(kCount))),
      Stored(DType::kI64, shape, BytesOf(Count<int64_t>(kCount)), 3),
  };
  for (const Stored& stored : kStored) {
    for (const ReadMode mode : kModes) {
      ExpectCounts(plain, stored, {0, kCount}, mode);
      ExpectCounts(stored, stored, {0, kCount}, mode);
      if (!IsSeekable(*stored.open().view)) continue;
      ExpectCounts(stored, plain, {kBlock, kCount}, mode);
      ExpectCounts(stored, plain, {kBlock, 2 * kBlock}, mode);
    }
  }
}

TEST(PairBlocks, PackedBits) {
  std::string nibbles, bits;
  for (size_t i = 0; i < 10001; ++i) {
    nibbles += static_cast<char>(2 * i % 8 | (2 * i + 1) % 8 << 4);
  }
  bits = std::string(2501, '\x55');  // 0, 1, 0, 1, …
  const Stored i4(DType::kI4, {20001}, nibbles);
  const Stored u1(DType::kU1, {20001}, bits);
  for (const ReadMode mode : kModes) {
    ExpectCounts(i4, i4, {0, 20001}, mode, 8);
    ExpectCounts(i4, i4, {kBlock, 20001}, mode, 8);
    ExpectCounts(u1, u1, {0, 20001}, mode, 2);
    ExpectCounts(u1, u1, {2 * kBlock, 20001}, mode, 2);
  }
}

TEST(PairBlocks, ComplexCountsAsTwoReals) {
  const Stored c64(DType::kC64, {5000}, BytesOf(Count<float>(10000)));
  const Stored c128(DType::kC128, {5000}, BytesOf(Count<double>(10000)));
  EXPECT_EQ(RealCount(c64.tensor), 10000u);
  for (const ReadMode mode : kModes) {
    ExpectCounts(c64, c128, {0, 10000}, mode);
    ExpectCounts(c64, c128, {kBlock, 10000}, mode);
  }
}

TEST(PairBlocks, NoElements) {
  const Stored none(DType::kF32, {0}, ""), scalar(DType::kF32, {}, "\0\0\0\0");
  EXPECT_EQ(RealCount(none.tensor), 0u);
  EXPECT_EQ(RealCount(scalar.tensor), 1u);
  for (const ReadMode mode : kModes) ExpectCounts(none, none, {0, 0}, mode);
}

TEST(PairBlocks, AFileThatShrinksIsAnError) {
  for (const ReadMode mode : kModes) {
    const std::string bytes = BytesOf(Count<float>(kCount));
    const Stored golden(DType::kF32, {kCount}, bytes);
    const Stored target(DType::kF32, {kCount}, bytes);
    const WorkBuffers buffers;
    auto blocks = PairBlocks::Open(golden.open(), target.open(), {0, kCount},
                                   mode, buffers);
    ASSERT_TRUE(blocks);
    target.Truncate(1000);
    Result<TilePair> tile = blocks->Next();
    while (tile && tile->n > 0) tile = blocks->Next();
    ASSERT_FALSE(tile);
    EXPECT_EQ(tile.error().file, target.file().path());
  }
}

}  // namespace
}  // namespace assay
