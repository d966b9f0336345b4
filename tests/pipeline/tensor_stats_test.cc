#include "pipeline/tensor_stats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "codecs/codec.h"
#include "executors/tensor_file.h"
#include "kernel/median.h"
#include "kernel/numpy_random.h"
#include "temp_tree.h"

namespace assay {
namespace {

template <typename T>
TensorStats Stats(DType dtype, const std::vector<T>& values) {
  const TempTree tree;
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                               values.size() * sizeof(T));
  const auto name =
      WriteTensorFile(tree.path(), "t.npy", dtype,
                      {static_cast<int64_t>(values.size())}, bytes);
  EXPECT_TRUE(name);
  const std::string path = tree.path() + "/" + *name;
  const auto listing = ListFile(path, {});
  EXPECT_TRUE(listing);
  const auto stats = StatsOf(path, listing->tensors.at(0), WorkBuffers());
  EXPECT_TRUE(stats);
  return *stats;
}

template <typename T>
double PlainMedian(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  const size_t n = values.size();
  return (static_cast<double>(values[(n - 1) / 2]) +
          static_cast<double>(values[n / 2])) /
         2;
}

TEST(TensorStats, MedianOfManyTypes) {
  for (const size_t n : {1u, 2u, 7u, 8192u, 20001u}) {
    std::vector<float> reals(n);
    ASSERT_TRUE(FillRandom(DType::kF32, {.low = -3, .high = 5},
                           std::as_writable_bytes(std::span(reals))));
    EXPECT_EQ(*Stats(DType::kF32, reals).median, PlainMedian(reals)) << n;
    std::vector<double> wide(reals.begin(), reals.end());
    EXPECT_EQ(*Stats(DType::kF64, wide).median, PlainMedian(wide)) << n;
    std::vector<int64_t> whole(n);
    ASSERT_TRUE(FillRandom(DType::kI64, {.low = -1e12, .high = 1e12},
                           std::as_writable_bytes(std::span(whole))));
    EXPECT_EQ(*Stats(DType::kI64, whole).median, PlainMedian(whole)) << n;
    std::vector<uint64_t> huge(n);
    for (size_t i = 0; i < n; ++i) huge[i] = ~uint64_t{0} - 4096 * (i % 97);
    EXPECT_EQ(*Stats(DType::kU64, huge).median, PlainMedian(huge)) << n;
    std::vector<uint8_t> bytes(n);
    for (size_t i = 0; i < n; ++i) bytes[i] = static_cast<uint8_t>(i * 37);
    EXPECT_EQ(*Stats(DType::kU8, bytes).median, PlainMedian(bytes)) << n;
  }
}

TEST(TensorStats, MedianOfLargeTensors) {
  constexpr size_t kMany = 300001;
  std::vector<float> values(kMany);
  ASSERT_TRUE(FillRandom(DType::kF32, {.low = -1, .high = 1},
                         std::as_writable_bytes(std::span(values))));
  EXPECT_EQ(*Stats(DType::kF32, values).median, PlainMedian(values));
  for (float& x : values) x = std::max(x, 0.0f);  // half of them equal
  EXPECT_EQ(*Stats(DType::kF32, values).median, PlainMedian(values));
  std::fill(values.begin(), values.end(), 7.0f);
  EXPECT_EQ(*Stats(DType::kF32, values).median, 7.0);
  // What a sample sees is unlike the others.
  constexpr size_t kStride = kMany / Bracket<float>::kSample;
  for (size_t i = 0; i < kMany; ++i) {
    values[i] = i % kStride == 0 ? 1e6f : static_cast<float>(i);
  }
  EXPECT_EQ(*Stats(DType::kF32, values).median, PlainMedian(values));
  std::vector<double> wide(values.begin(), values.end());
  EXPECT_EQ(*Stats(DType::kF64, wide).median, PlainMedian(wide));
}

TEST(TensorStats, NothingAndNotANumber) {
  const TensorStats none = Stats<float>(DType::kF32, {});
  EXPECT_FALSE(none.median || none.mean || none.min);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float inf = std::numeric_limits<float>::infinity();
  const TensorStats mixed = Stats<float>(DType::kF32, {1, nan, 3, -inf});
  EXPECT_TRUE(mixed.has_nan && mixed.has_inf);
  EXPECT_FALSE(mixed.median);
  EXPECT_EQ(*mixed.mean, 2);
  EXPECT_EQ(*mixed.min, 1);
  const TensorStats infinite = Stats<float>(DType::kF32, {1, inf, 3, -inf, 2});
  EXPECT_EQ(*infinite.median, 2);
  EXPECT_EQ(*infinite.max, 3);
}

}  // namespace
}  // namespace assay
