#include "core/sketch.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace assay {
namespace {

using Sums = std::array<double, kSketchBins>;

Sums SketchOf(const std::vector<double>& values, size_t step) {
  Sums sums{};
  for (size_t at = 0; at < values.size(); at += step) {
    AddToSketch(values.data() + at, std::min(step, values.size() - at), at,
                sums);
  }
  return sums;
}

TEST(Sketch, DoesNotDependOnHowTheValuesCome) {
  const std::vector<double> values(1000, 1.25);
  EXPECT_EQ(SketchOf(values, 4), SketchOf(values, 1000));
}

TEST(Sketch, TellsDistances) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const double apart : {1e-6, 1e-2, 1.0}) {
    std::vector<double> a(20000), b(20000);
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      a[i] = normal(random);
      const double d = apart * normal(random);
      b[i] = a[i] + d;
      sum += (b[i] - a[i]) * (b[i] - a[i]);
    }
    const double told = SketchDistance(SketchOf(a, 8192), SketchOf(b, 8192));
    EXPECT_NEAR(told / std::sqrt(sum), 1, 0.15) << apart;
  }
}

TEST(Sketch, LeavesOutWhatIsNotFinite) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(SketchOf({1, NAN, inf, 2}, 4), SketchOf({1, 0, 0, 2}, 4));
}

// Records are kept: these sums must never change.
TEST(Sketch, StaysTheSame) {
  const Sums sums = SketchOf({1, 2, 4, 8}, 4);
  std::vector<std::pair<size_t, double>> found;
  for (size_t i = 0; i < kSketchBins; ++i) {
    if (sums[i] != 0) found.emplace_back(i, sums[i]);
  }
  const std::vector<std::pair<size_t, double>> expected = {
      {27, 1}, {45, -4}, {113, -2}, {123, 8}};
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace assay
