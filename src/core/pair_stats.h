#pragma once

#include <cstdint>

#include "core/number.h"

namespace assay {

// Mean and centred second moment; sum of squares = m2 + n mean^2.
struct Moments {
  double mean = 0;
  double m2 = 0;
};

// What one pass over a pair of tensors leaves behind. "Used" elements are
// finite on both sides; every sum, mean and extreme runs over these alone.
// Partial results of consecutive ranges merge in index order, so the result is
// the same for any number of threads.
struct PairStats {
  static constexpr uint64_t kNowhere = ~uint64_t{0};

  uint64_t count = 0;  // all elements
  uint64_t used = 0;   // finite on both sides
  uint64_t equal = 0;  // same value; NaN equals nothing
  uint64_t nan_golden = 0, nan_target = 0;
  uint64_t inf_golden = 0, inf_target = 0;
  uint64_t rel_undefined = 0;               // used elements with golden = 0
  uint64_t within_1e3 = 0, within_5e3 = 0;  // |t-g| / |g| <= c
  uint64_t close = 0;                       // |t-g| <= atol + rtol |g|

  Moments golden, target;
  double sum_gt = 0;   // sum of g t
  double sum_dd = 0;   // sum of (t-g)^2
  double sum_abs = 0;  // sum of |t-g|
  double sum_rel = 0;  // sum of |t-g| / |g| where g != 0

  // Extremes; meaningless while `used` is 0.
  RawNumber min_golden{}, max_golden{}, min_target{}, max_target{};
  RawNumber max_abs{};
  double max_rel = 0;
  uint64_t max_abs_at = kNowhere, max_rel_at = kNowhere;
  uint64_t one_sided_at = kNowhere;  // first NaN/Inf that the other side lacks

  NumberKind golden_kind = NumberKind::kReal;
  NumberKind target_kind = NumberKind::kReal;
  NumberKind diff_kind = NumberKind::kReal;
  // Fraction bits in use: 23 for true float32 data, 10 for widened float16.
  uint8_t fraction_bits_golden = 0, fraction_bits_target = 0;

  // Adds the statistics of the elements that follow directly.
  void Merge(const PairStats& next);

  double SumSquaresGolden() const;
  double SumSquaresTarget() const;
};

static_assert(sizeof(PairStats) <= 256);

}  // namespace assay
