#pragma once

#include <cmath>
#include <cstdint>

#include "core/pair_stats.h"
#include "kernel/reduce.h"

namespace assay {

inline constexpr size_t kLanes = 8;

// The sums of one block while it is being read: 8 virtual lanes each.
struct alignas(64) LaneSums {
  double g[kLanes] = {}, t[kLanes] = {};
  double gg[kLanes] = {}, tt[kLanes] = {}, gt[kLanes] = {}, dd[kLanes] = {};
  double abs[kLanes] = {};
  double rel[kLanes] = {};
  double max_abs[kLanes] = {}, max_rel[kLanes] = {};
  uint64_t rel_undefined = 0, within_1e3 = 0, within_5e3 = 0, close = 0;
};

// Always the same tree, whatever the width of the registers was.
inline double Fold(const double (&x)[kLanes]) {
  return ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]));
}

// Rounding may leave a sum of squares just below zero; NaN stays NaN.
inline double NotNegative(double x) { return x < 0 ? 0 : x; }

inline double FoldMax(const double (&x)[kLanes]) {
  double top = x[0];
  for (const double v : x) top = v > top ? v : top;
  return top;
}

// One used element (finite on both sides) into its lane; the careful twin of
// the vector code. `abs_d` is |g - t|, which integers know exactly. Returns the
// relative error, 0 where it is undefined.
inline double AddDifference(double g, double t, double abs_d,
                            const Tolerance& tol, size_t lane, LaneSums& s) {
  const double abs_g = std::fabs(g);
  s.g[lane] += g;
  s.t[lane] += t;
  s.gt[lane] += g * t;
  s.dd[lane] += abs_d * abs_d;
  s.abs[lane] += abs_d;
  s.close += abs_d <= tol.atol + tol.rtol * abs_g;
  if (abs_g == 0) {
    ++s.rel_undefined;
    return 0;
  }
  const double rel = abs_d / abs_g;
  s.rel[lane] += rel;
  s.within_1e3 += rel <= 1e-3;
  s.within_5e3 += rel <= 5e-3;
  return rel;
}

// The lane sums of a block as statistics; moments are filled by the caller.
inline void FoldInto(const LaneSums& s, PairStats& block) {
  block.sum_gt = Fold(s.gt);
  block.sum_dd = Fold(s.dd);
  block.sum_abs = Fold(s.abs);
  block.sum_rel = Fold(s.rel);
  block.rel_undefined = s.rel_undefined;
  block.within_1e3 = s.within_1e3;
  block.within_5e3 = s.within_5e3;
  block.close = s.close;
}

}  // namespace assay
