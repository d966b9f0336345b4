#include "judge/odd_slice.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay {
namespace {

constexpr double kU = 0x1p-11;
constexpr size_t kChannels = 16;

// 100 elements of 1 in each channel, with errors that cancel out.
AxisSums Clean(size_t axis = 1) {
  AxisSums out{axis, std::vector<SliceSums>(kChannels)};
  for (size_t i = 0; i < kChannels; ++i) {
    const double factor = 1e-4 * std::sin(static_cast<double>(i));
    out.slices[i] = {.gg = 100,
                     .gd = 100 * factor,
                     .dd = 100 * (factor * factor + 1e-6),
                     .size = 80,
                     .along = 80 * factor,
                     .peak = 4};
  }
  return out;
}

void Scale(double factor, SliceSums& s) {
  s.gd += factor * s.gg;
  s.dd += factor * factor * s.gg;
  s.along += factor * s.size;
}

std::optional<OddSlice> Find(const AxisSums& axis) {
  return FindOddSlice(std::span(&axis, 1), kU);
}

TEST(OddSlice, OneFactorAmongMany) {
  AxisSums axis = Clean();
  EXPECT_FALSE(Find(axis));
  Scale(0.02, axis.slices[3]);
  const auto odd = Find(axis);
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->axis, 1u);
  EXPECT_EQ(odd->index, 3u);
  EXPECT_NEAR(odd->off, 0.02, 1e-3);
}

TEST(OddSlice, WhatIsNone) {
  const struct {
    const char* what;
    void (*change)(AxisSums&);
  } kRows[] = {
      {"all of them",
       [](AxisSums& a) {
         for (auto& s : a.slices) Scale(0.02, s);
       }},
      {"every second",
       [](AxisSums& a) {
         for (size_t i = 0; i < kChannels; i += 2) Scale(0.02, a.slices[i]);
       }},
      {"below rounding", [](AxisSums& a) { Scale(2 * kU, a.slices[3]); }},
      {"noise",
       [](AxisSums& a) {
         Scale(0.02, a.slices[3]);
         a.slices[3].dd += 1;
       }},
      {"one large element",
       [](AxisSums& a) {
         Scale(0.02, a.slices[3]);
         a.slices[3].peak = 90;
       }},
      {"not by sizes",
       [](AxisSums& a) {
         Scale(0.02, a.slices[3]);
         a.slices[3].along = 0;
       }},
      {"nearly zero",
       [](AxisSums& a) {
         a.slices[3] = {.gg = 1, .size = 8, .peak = 0.1};
         Scale(0.02, a.slices[3]);
       }},
  };
  for (const auto& row : kRows) {
    AxisSums axis = Clean();
    row.change(axis);
    EXPECT_FALSE(Find(axis)) << row.what;
  }
}

TEST(OddSlice, WhetherAnInputShowsIt) {
  AxisSums odd = Clean();
  Scale(0.02, odd.slices[3]);
  const OddSlice found = *Find(odd);
  AxisSums other = Clean();  // a stranger among the inputs
  Scale(0.05, other.slices[7]);
  AxisSums moved = Clean(0);
  Scale(0.019, moved.slices[9]);
  AxisSums noisy = Clean();
  noisy.slices[3].dd += 0.02;
  const struct {
    AxisSums input;
    bool same, other_shape;
  } kRows[] = {{Clean(), false, false},
               {odd, true, true},
               {other, false, true},
               {moved, true, true},
               {noisy, true, false}};
  for (const auto& row : kRows) {
    EXPECT_EQ(Shows(std::span(&row.input, 1), found, true), row.same);
    EXPECT_EQ(Shows(std::span(&row.input, 1), found, false), row.other_shape);
  }
}

}  // namespace
}  // namespace assay
