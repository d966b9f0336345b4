#include "legacy/numpy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace assay {
namespace {

// Written as the rule says it, for any length.
float ByTheRule(const std::vector<float>& x, size_t begin, size_t n) {
  float sum = 0;
  if (n < 8) {
    for (size_t i = 0; i < n; ++i) sum += x[begin + i];
    return sum;
  }
  if (n > 128) {
    const size_t half = n / 2 / 8 * 8;
    return ByTheRule(x, begin, half) + ByTheRule(x, begin + half, n - half);
  }
  float r[8];
  for (size_t i = 0; i < n / 8 * 8; ++i) {
    r[i % 8] = i < 8 ? x[begin + i] : r[i % 8] + x[begin + i];
  }
  sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (size_t i = n / 8 * 8; i < n; ++i) sum += x[begin + i];
  return sum;
}

TEST(Numpy, SumsInItsOrder) {
  std::vector<float> x(kNumpyChunk);
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = std::sin(static_cast<float>(i)) * 1000;
  }
  for (const size_t n : {0, 1, 7, 8, 9, 127, 128, 129, 136, 1000, 8191, 8192}) {
    EXPECT_EQ(ChunkSum<float>([&](size_t i) { return x[i]; }, n),
              ByTheRule(x, 0, n))
        << n;
  }
}

TEST(Numpy, LogIsRounded) {
  for (const float x : {1e-30F, 1e-7F, 0.5F, 0.70710677F, 0.99999994F, 1.0F,
                        1.0000001F, 1.4142135F, 2.0F, 3e38F}) {
    EXPECT_EQ(WideLog(x), static_cast<float>(std::log(double{x}))) << x;
  }
  EXPECT_EQ(WideLog(0), -INFINITY);
  EXPECT_EQ(WideLog(INFINITY), INFINITY);
  EXPECT_TRUE(std::isnan(WideLog(-1)));
}

TEST(Numpy, PrintsAsPythonDoes) {
  const struct {
    double value;
    std::string text;
  } kRows[] = {
      {0, "0.0"},
      {-0.0, "-0.0"},
      {1, "1.0"},
      {0.1, "0.1"},
      {1e-4, "0.0001"},
      {1.5e-5, "1.5e-05"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {9007199254740993.0, "9007199254740992.0"},
      {1e16, "1e+16"},
      {1e300, "1e+300"},
      {-NAN, "nan"},
      {-INFINITY, "-inf"},
  };
  for (const auto& row : kRows) EXPECT_EQ(ReprText(row.value), row.text);
  EXPECT_EQ(ReprText(0.1F), "0.10000000149011612");
  EXPECT_EQ(Float32Text(0.1F), "0.1");
  EXPECT_EQ(Float32Text(9007199254740993.0F), "9007199000000000.0");
  EXPECT_EQ(Float16Text(0.0006423F), "0.0006423");
  EXPECT_EQ(FixedText(-0.0000001, 6), "-0.000000");
  EXPECT_EQ(FixedText(-NAN, 6), "nan");
}

TEST(Numpy, RoundsToHalves) {
  const struct {
    float value, half;
  } kRows[] = {
      {65519, 65504}, {65520, INFINITY}, {2049, 2048},
      {2051, 2052},   {1e-8F, 0},        {-6.1e-5F, -1023 * 0x1p-24F},
  };
  for (const auto& row : kRows) EXPECT_EQ(ToHalf(row.value), row.half);
}

}  // namespace
}  // namespace assay
