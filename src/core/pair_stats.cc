#include "core/pair_stats.h"

#include <algorithm>

namespace assay {
namespace {

// Chan, Golub and LeVeque's update: no cancellation for any mean.
Moments Join(Moments a, uint64_t na, Moments b, uint64_t nb) {
  if (na == 0) return b;
  if (nb == 0) return a;
  const double n = static_cast<double>(na + nb);
  const double delta = b.mean - a.mean;
  const double share = static_cast<double>(nb) / n;
  return {
      .mean = a.mean + delta * share,
      .m2 = a.m2 + b.m2 + delta * delta * (static_cast<double>(na) * share)};
}

double SumSquares(Moments m, uint64_t n) {
  return m.m2 + static_cast<double>(n) * (m.mean * m.mean);
}

void TakeLess(RawNumber& mine, RawNumber other, NumberKind kind) {
  if (Less(other, mine, kind)) mine = other;
}

void TakeGreater(RawNumber& mine, RawNumber other, NumberKind kind) {
  if (Less(mine, other, kind)) mine = other;
}

}  // namespace

double PairStats::SumSquaresGolden() const { return SumSquares(golden, used); }
double PairStats::SumSquaresTarget() const { return SumSquares(target, used); }

void PairStats::Merge(const PairStats& next) {
  if (next.used > 0 && used == 0) {
    golden_kind = next.golden_kind;
    target_kind = next.target_kind;
    diff_kind = next.diff_kind;
    min_golden = next.min_golden;
    max_golden = next.max_golden;
    min_target = next.min_target;
    max_target = next.max_target;
    max_abs = next.max_abs;
    max_rel = next.max_rel;
    max_abs_at = next.max_abs_at;
    max_rel_at = next.max_rel_at;
  } else if (next.used > 0) {
    TakeLess(min_golden, next.min_golden, golden_kind);
    TakeGreater(max_golden, next.max_golden, golden_kind);
    TakeLess(min_target, next.min_target, target_kind);
    TakeGreater(max_target, next.max_target, target_kind);
    if (Less(max_abs, next.max_abs, diff_kind)) {
      max_abs = next.max_abs;
      max_abs_at = next.max_abs_at;
    }
    if (max_rel < next.max_rel || max_rel_at == kNowhere) {
      max_rel = next.max_rel;
      max_rel_at = next.max_rel_at;
    }
  }
  golden = Join(golden, used, next.golden, next.used);
  target = Join(target, used, next.target, next.used);

  count += next.count;
  used += next.used;
  equal += next.equal;
  nan_golden += next.nan_golden;
  nan_target += next.nan_target;
  inf_golden += next.inf_golden;
  inf_target += next.inf_target;
  rel_undefined += next.rel_undefined;
  within_1e3 += next.within_1e3;
  within_5e3 += next.within_5e3;
  close += next.close;
  sum_gt += next.sum_gt;
  sum_dd += next.sum_dd;
  sum_abs += next.sum_abs;
  sum_rel += next.sum_rel;
  one_sided_at = std::min(one_sided_at, next.one_sided_at);
  fraction_bits_golden =
      std::max(fraction_bits_golden, next.fraction_bits_golden);
  fraction_bits_target =
      std::max(fraction_bits_target, next.fraction_bits_target);
}

}  // namespace assay
