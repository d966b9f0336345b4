#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/pair_stats.h"

namespace assay {

// Equal but for the rounding of numbers as large as `scale`. What is too large
// for a double is no finite number on either side.
inline void ExpectNear(double got, double wanted, double scale) {
  if (!std::isfinite(wanted)) {
    EXPECT_FALSE(std::isfinite(got));
  } else if (std::isfinite(scale)) {
    EXPECT_NEAR(got, wanted, 1e-13 * std::fabs(scale) + 0x1p-1070);
  }
}

inline void ExpectSameCounts(const PairStats& a, const PairStats& b) {
  EXPECT_EQ(a.count, b.count);
  EXPECT_EQ(a.used, b.used);
  EXPECT_EQ(a.equal, b.equal);
  EXPECT_EQ(a.nan_golden, b.nan_golden);
  EXPECT_EQ(a.nan_target, b.nan_target);
  EXPECT_EQ(a.inf_golden, b.inf_golden);
  EXPECT_EQ(a.inf_target, b.inf_target);
  EXPECT_EQ(a.rel_undefined, b.rel_undefined);
  EXPECT_EQ(a.within_1e3, b.within_1e3);
  EXPECT_EQ(a.within_5e3, b.within_5e3);
  EXPECT_EQ(a.close, b.close);
}

inline void ExpectSameExtremes(const PairStats& a, const PairStats& b) {
  EXPECT_EQ(a.one_sided_at, b.one_sided_at);
  EXPECT_EQ(a.max_abs_at, b.max_abs_at);
  EXPECT_EQ(a.max_rel_at, b.max_rel_at);
  if (b.used == 0) return;
  EXPECT_EQ(a.golden_kind, b.golden_kind);
  EXPECT_EQ(a.target_kind, b.target_kind);
  EXPECT_EQ(a.diff_kind, b.diff_kind);
  EXPECT_EQ(a.min_golden.uint, b.min_golden.uint);
  EXPECT_EQ(a.max_golden.uint, b.max_golden.uint);
  EXPECT_EQ(a.min_target.uint, b.min_target.uint);
  EXPECT_EQ(a.max_target.uint, b.max_target.uint);
  EXPECT_EQ(a.max_abs.uint, b.max_abs.uint);
  EXPECT_EQ(a.max_rel, b.max_rel);
}

// A large mean is rounded, and what is summed around it feels that.
inline double Scale(Moments m, double squares) {
  return m.m2 + 1e-3 * std::sqrt(m.m2) * std::sqrt(squares);
}

// Counts and extremes alike; sums to 1e-13 of what was added up.
inline void ExpectSameStats(const PairStats& got, const PairStats& wanted) {
  ExpectSameCounts(got, wanted);
  ExpectSameExtremes(got, wanted);
  const double n = static_cast<double>(std::max<uint64_t>(wanted.used, 1));
  const double gg = wanted.SumSquaresGolden(), tt = wanted.SumSquaresTarget();
  ExpectNear(got.golden.mean, wanted.golden.mean, std::sqrt(gg / n));
  ExpectNear(got.target.mean, wanted.target.mean, std::sqrt(tt / n));
  ExpectNear(got.golden.m2, wanted.golden.m2, Scale(wanted.golden, gg));
  ExpectNear(got.target.m2, wanted.target.m2, Scale(wanted.target, tt));
  ExpectNear(got.sum_gt, wanted.sum_gt, std::sqrt(gg) * std::sqrt(tt));
  ExpectNear(got.sum_dd, wanted.sum_dd, wanted.sum_dd);
  ExpectNear(got.sum_abs, wanted.sum_abs, wanted.sum_abs);
  ExpectNear(got.sum_rel, wanted.sum_rel, wanted.sum_rel);
}

}  // namespace assay
