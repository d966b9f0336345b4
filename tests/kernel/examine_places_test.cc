#include <gtest/gtest.h>

#include <numeric>

#include "kernel/look.h"

namespace assay {
namespace {

constexpr Types kFloat = {DType::kF32, DType::kF32};

ExamineWants Places(double low, double high, uint64_t count) {
  return {.worst = 2, .places = true, .low = low, .high = high, .count = count};
}

uint64_t Sum(const auto& bins) {
  return std::accumulate(bins.begin(), bins.end(), uint64_t{0});
}

TEST(ExaminePlaces, CountsTheValuesOfBothSides) {
  const Floats g = {0, 1, 2, 3, 4}, t = {0, 1, 2, NAN, 4};
  const Spread spread = Look(g, t, kFloat, Places(0, 4, 5)).spread;
  EXPECT_EQ(Sum(spread.values.golden), 5u);
  EXPECT_EQ(Sum(spread.values.target), 4u);
  EXPECT_EQ(spread.values.golden.front(), 1u);
  EXPECT_EQ(spread.values.golden.back(), 1u);  // the largest is inside
  EXPECT_EQ(spread.values.low, 0);
  EXPECT_EQ(spread.values.high, 4);
}

TEST(ExaminePlaces, CountsAConstantInOneBin) {
  const Floats g(9, 7);
  const Spread spread = Look(g, g, kFloat, Places(7, 7, 9)).spread;
  EXPECT_EQ(Sum(spread.values.golden), 9u);
}

TEST(ExaminePlaces, SaysWhereTheErrorsStand) {
  Floats g(256, 1), t = g;
  t[255] = 3;
  t[0] = 2;
  const Spread spread = Look(g, t, kFloat, Places(1, 3, 256)).spread;
  EXPECT_EQ(spread.profile.front(), 1);
  EXPECT_EQ(spread.profile.back(), 2);
  const double all =
      std::accumulate(spread.profile.begin(), spread.profile.end(), 0.0);
  EXPECT_EQ(all, 3);
}

TEST(ExaminePlaces, RanksByRelativeErrorToo) {
  const Floats g = {100, 1, 0, 10}, t = {110, 2, 5, 11};
  const Detail detail = Look(g, t, kFloat, Places(0, 110, 4));
  ASSERT_EQ(detail.relative.size(), 2u);
  EXPECT_EQ(detail.relative[0].index, 1u);  // 1, against 0.1; g = 0 has none
  EXPECT_EQ(detail.relative[1].index, 0u);  // of two alike the first
  EXPECT_EQ(detail.worst[0].index, 0u);
}

TEST(ExaminePlaces, KeepsWholeNumbersExact) {
  const Ints g = {kBig, 5}, t = {kBig + 1, 5};
  const Detail detail =
      Look(g, t, {DType::kI64, DType::kI64}, Places(5, 5e18, 2));
  ASSERT_EQ(detail.relative.size(), 1u);
  EXPECT_EQ(detail.relative[0].target.raw.sint, kBig + 1);
}

}  // namespace
}  // namespace assay
