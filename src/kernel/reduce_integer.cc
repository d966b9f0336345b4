#include <algorithm>

#include "kernel/lane_sums.h"
#include "kernel/reduce.h"

namespace assay {
namespace {

using Wide = __int128;  // holds any difference of two 64-bit integers

Wide Value(const IntegerTile& tile, size_t i) {
  return tile.is_unsigned ? Wide{static_cast<uint64_t>(tile.data[i])}
                          : Wide{tile.data[i]};
}

NumberKind Kind(const IntegerTile& tile) {
  return tile.is_unsigned ? NumberKind::kUnsigned : NumberKind::kSigned;
}

// Differences of one signedness fit 64 bits; mixed ones may need a 65th.
RawNumber Magnitude(Wide value, NumberKind kind) {
  if (kind == NumberKind::kReal) return {.real = static_cast<double>(value)};
  return {.uint = static_cast<uint64_t>(value)};
}

struct Extremes {
  Wide low, high;
  void Take(Wide v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

Moments CentredMoments(const IntegerTile& tile, size_t n, double sum) {
  const double mean = sum / static_cast<double>(n);
  double rest[kLanes] = {}, squares[kLanes] = {};
  for (size_t i = 0; i < n; ++i) {
    const double v = static_cast<double>(Value(tile, i)) - mean;
    rest[i % kLanes] += v;
    squares[i % kLanes] += v * v;
  }
  const double left = Fold(rest);
  const double m2 = Fold(squares) - left * left / static_cast<double>(n);
  return {mean, NotNegative(m2)};
}

}  // namespace

void ReduceIntegers(IntegerTile golden, IntegerTile target, size_t n,
                    uint64_t base, const Tolerance& tol, PairStats& stats) {
  if (n == 0) return;
  PairStats out;
  out.count = out.used = n;
  out.golden_kind = Kind(golden);
  out.target_kind = Kind(target);
  out.diff_kind = golden.is_unsigned == target.is_unsigned
                      ? NumberKind::kUnsigned
                      : NumberKind::kReal;

  LaneSums sums;
  Extremes g_range{Value(golden, 0), Value(golden, 0)};
  Extremes t_range{Value(target, 0), Value(target, 0)};
  Wide max_abs = -1;
  for (size_t i = 0; i < n; ++i) {
    const Wide g = Value(golden, i), t = Value(target, i);
    const Wide difference = g > t ? g - t : t - g;
    g_range.Take(g);
    t_range.Take(t);
    out.equal += difference == 0;
    if (difference > max_abs) {
      max_abs = difference;
      out.max_abs_at = base + i;
    }
    const double rel =
        AddDifference(static_cast<double>(g), static_cast<double>(t),
                      static_cast<double>(difference), tol, i % kLanes, sums);
    if (g != 0 &&
        (out.max_rel_at == PairStats::kNowhere || rel > out.max_rel)) {
      out.max_rel = rel;
      out.max_rel_at = base + i;
    }
  }
  FoldInto(sums, out);
  out.golden = CentredMoments(golden, n, Fold(sums.g));
  out.target = CentredMoments(target, n, Fold(sums.t));
  out.max_abs = Magnitude(max_abs, out.diff_kind);
  out.min_golden.sint = static_cast<int64_t>(g_range.low);
  out.max_golden.sint = static_cast<int64_t>(g_range.high);
  out.min_target.sint = static_cast<int64_t>(t_range.low);
  out.max_target.sint = static_cast<int64_t>(t_range.high);
  stats.Merge(out);
}

}  // namespace assay
