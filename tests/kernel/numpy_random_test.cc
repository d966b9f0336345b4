// The bytes of numpy.random.default_rng, by a hash of the first 1000 values
// (tests/data/numpy_random.csv, written by NumPy 1.24).
#include "kernel/numpy_random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <vector>

#include "base/text.h"
#include "core/shape.h"
#include "test_paths.h"

namespace assay {
namespace {

uint64_t Fnv(std::span<const std::byte> bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte b : bytes) {
    hash = (hash ^ static_cast<uint8_t>(b)) * 0x100000001b3;
  }
  return hash;
}

TEST(NumpyRandom, SameBytesAsNumpy) {
  std::ifstream file(TestData("numpy_random.csv"));
  std::string line;
  std::getline(file, line);
  size_t rows = 0;
  for (; std::getline(file, line); ++rows) {
    const auto cells = Split(line, ',');
    ASSERT_EQ(cells.size(), 5u);
    const DType dtype = *ParseDType(cells[1]);
    const RandomRange range{.seed = std::stoull(std::string(cells[0])),
                            .low = std::stod(std::string(cells[2])),
                            .high = std::stod(std::string(cells[3]))};
    std::vector<std::byte> values(*ByteCount(dtype, 1000));
    ASSERT_TRUE(FillRandom(dtype, range, values));
    EXPECT_EQ(fmt::format("{:016x}", Fnv(values)), cells[4]) << line;
  }
  EXPECT_EQ(rows, 260u);
}

TEST(NumpyRandom, FirstValues) {
  NumpyRandom random(42);
  EXPECT_EQ(random.Next64(), 14276969152011380360u);
  EXPECT_EQ(random.Next64(), 8095878257575067585u);
}

TEST(NumpyRandom, RangeMustFitTheType) {
  std::vector<std::byte> values(8);
  const struct {
    DType dtype;
    double low, high;
  } kRows[] = {{DType::kI8, 0, 128},     {DType::kI8, -129, 0},
               {DType::kU8, -1, 5},      {DType::kI32, 5, 4},
               {DType::kU64, 0, 0x1p64}, {DType::kF32, 0, INFINITY},
               {DType::kF16, NAN, 1},    {DType::kF64, -1.7e308, 1.7e308}};
  for (const auto& row : kRows) {
    EXPECT_FALSE(
        FillRandom(row.dtype, {.low = row.low, .high = row.high}, values));
  }
  EXPECT_FALSE(FillRandom(DType::kC64, {}, values));
}

}  // namespace
}  // namespace assay
