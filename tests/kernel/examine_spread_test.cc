#include <gtest/gtest.h>

#include <random>

#include "kernel/look.h"

namespace assay {
namespace {

TEST(Examine, CountsUnitsInTheLastPlace) {
  using enum DType;
  const struct {
    DType golden, target;
    double g, t, ulps;
  } kRows[] = {
      {kF64, kF64, 1, 1 + 0x1p-52, 1},
      {kF64, kF64, 1, 1 - 0x1p-53, 1},
      {kF64, kF64, -1, -1 - 0x1p-51, 2},
      {kF64, kF64, 0x1p-1074, -0x1p-1074, 2},
      {kF64, kF32, 1, 1 + 0x1p-23, 1},
      {kF64, kF32, 1, 1 + 0x1p-24, 0.5},
      {kF32, kF32, 1, 1 + 0x1p-23, 1},
      {kF32, kF32, 0x1p-149, -0x1p-149, 2},
      {kF32, kF32, 0, 0x1p-126, 0x1p23},
      {kF16, kF16, 1, 1 + 0x1p-10, 1},
      {kF16, kF16, 1024, 1027, 3},
      {kF16, kF32, 1, 1 + 0x1p-11, 0.5},
      {kF16, kF16, 0x1p-24, 0x1p-23, 1},  // subnormal steps are all as wide
      {kF16, kF16, -0x1p-24, 0x1p-24, 2},
      {kF16, kF16, 0x1p-14, 0x1p-14 - 0x1p-24, 1},
      {kBF16, kBF16, 1, 1 + 0x1p-7, 1},
      {kBF16, kF16, 256, 260, 2},
      {kBF16, kBF16, 0x1p-133, 0x1p-131, 3},
      {kF8E4M3, kF8E4M3, 0x1p-9, 0x1p-8, 1},
      {kC32, kC32, 1, 1 + 0x1p-10, 1},
  };
  for (const auto& row : kRows) {
    const Types types = {row.golden, row.target};
    const bool wide = ChooseTile(row.golden, row.target) == TileType::kF64;
    const ExamineWants wants = {.spread = true};
    const Detail detail =
        wide ? Look(Reals{0, row.g}, Reals{0, row.t}, types, wants)
             : Look(Floats{0, static_cast<float>(row.g)},
                    Floats{0, static_cast<float>(row.t)}, types, wants);
    EXPECT_EQ(detail.spread.max_ulp, row.ulps)
        << Name(row.golden) << " " << row.g << " " << row.t;
  }
  EXPECT_EQ(
      Look(Ints{kBig}, Ints{kBig + 3}, kWhole, {.spread = true}).spread.max_ulp,
      3);
}

TEST(Examine, KnowsValuesInAnotherOrder) {
  const struct {
    Reals golden, target;
    bool same;
  } kRows[] = {
      {{}, {}, true},
      {{1, 2, 3, 4, 5}, {5, 4, 1, 2, 3}, true},
      {{1, 2, 3, 4, 5}, {5, 4, 1, 2, 2}, false},
      {{1, 1, 2}, {1, 2, 2}, false},
      {{0, 3}, {1, 2}, false},
      {{-0.0, 1}, {1, 0}, true},
      {{1, -1}, {-1, 1}, true},
      {{1, -1}, {1, 1}, false},
  };
  for (const auto& row : kRows) {
    constexpr ExamineWants kWants = {.same_values = true};
    EXPECT_EQ(Look(row.golden, row.target, kDouble, kWants).same_values,
              row.same);
    EXPECT_EQ(
        Look(Floats(row.golden.begin(), row.golden.end()),
             Floats(row.target.begin(), row.target.end()), kSingle, kWants)
            .same_values,
        row.same);
    EXPECT_EQ(Look(Ints(row.golden.begin(), row.golden.end()),
                   Ints(row.target.begin(), row.target.end()), kWhole, kWants)
                  .same_values,
              row.same);
  }
  EXPECT_FALSE(Look(Reals{1}, Reals{1}, kDouble, {}).same_values);  // not asked
}

// Round values that keep their sum must not pass for each other.
TEST(Examine, SumsAreNotMistakenForValues) {
  std::mt19937 engine(7);
  for (int round = 0; round < 3000; ++round) {
    Floats g(16);
    for (float& x : g) x = static_cast<float>(engine() % 64) / 4;
    Floats t = g;
    t[engine() % 8] += 0.25f;
    t[8 + engine() % 8] -= 0.25f;
    std::sort(g.begin(), g.end());
    Floats sorted = t;
    std::sort(sorted.begin(), sorted.end());
    ASSERT_EQ(Look(g, t, kSingle, {.same_values = true}, 16).same_values,
              g == sorted);
  }
}

}  // namespace
}  // namespace assay
