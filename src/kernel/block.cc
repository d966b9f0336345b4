#include "kernel/block.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace assay {
namespace {

static_assert(kTurn % kLanes == 0 && kBlock % kTurn == 0);

uint8_t FractionBits(uint32_t bits) {
  return static_cast<uint8_t>(23 - std::countr_zero(bits | 1u << 23));
}
uint8_t FractionBits(uint64_t bits) {
  return static_cast<uint8_t>(52 - std::countr_zero(bits | uint64_t{1} << 52));
}

// -0 and +0 are equal; which of them a minimum picks depends on the width of
// the registers, so the sign of a zero is dropped.
template <typename T>
RawNumber Real(T value) {
  return {.real = static_cast<double>(value) + 0.0};
}

template <typename T>
void FindMaxAbs(const BlockOps<T>& ops, const Block<T>& b, PairStats& out) {
  out.max_abs_at =
      b.base + ops.find_abs(b.golden, b.target, b.n, out.max_abs.real);
}

template <typename T>
void FindMaxRel(const BlockOps<T>& ops, const Block<T>& b, PairStats& out) {
  const size_t i = ops.find_rel(b.golden, b.target, b.n, out.max_rel);
  if (i < b.n) out.max_rel_at = b.base + i;  // else golden is zero everywhere
}

// Moments from plain sums where that is safe, else by a second look at the
// block: a mean far from zero would cancel the digits of the variance.
template <typename T>
Moments BlockMoments(const BlockOps<T>& ops, const T* x, size_t n, double sum,
                     double squares) {
  const double mean = sum / static_cast<double>(n);
  double m2 = squares - sum * mean;
  if (m2 < squares / 16) m2 = NotNegative(ops.centred_squares(x, n, mean));
  return {mean, m2};
}

// Sum of g t from 2 g t = g^2 + t^2 - (g-t)^2, which spares every element a
// product, where that is safe: where little cancels. Else by a second look.
template <typename T>
double BlockDot(const BlockOps<T>& ops, const Block<T>& b, double squares,
                double sum_dd) {
  const double dot = (squares - sum_dd) / 2;
  if (std::fabs(dot) >= squares / 16 && std::isfinite(dot)) return dot;
  return ops.dot(b.golden, b.target, b.n);
}

// What has to be counted when it is known which elements are all close, and all
// within 1/1000.
Count Needed(bool all_close, bool all_within) {
  return static_cast<Count>((all_close ? 0 : 1) | (all_within ? 0 : 2));
}

// Where two tensors agree, most turns agree within a tolerance, and then all
// elements are counted without looking at one. A turn is summed with the counts
// that the turn before it needed; what it needs itself shows in its largest
// quotient, and is counted after all. The numbers are the same either way.
template <typename T>
class TurnSums {
 public:
  TurnSums(const BlockOps<T>& ops, const Tolerance& tol, Count first)
      : ops_(ops), tol_(tol), count_(first) {}

  void Add(const Turn<T>& turn, Spread<T>& spread, LaneSums& s) {
    double before[kLanes];
    std::copy_n(s.max_rel, kLanes, before);
    std::fill_n(s.max_rel, kLanes, 0.0);
    const Count done = count_;
    const uint64_t zeros = spread.zero;
    ops_.sums[static_cast<size_t>(done)](turn, tol_, spread, s);
    count_ = NeededBy(FoldMax(s.max_rel), spread.zero > zeros);
    const Count missing = Without(count_, done);
    if (missing != Count::kNone) {
      ops_.counts[static_cast<size_t>(missing)](turn, tol_, s);
    }
    const Count known = Without(Without(Count::kAll, done), missing);
    if (Has(known, Count::kClose)) s.close += turn.n;
    if (Has(known, Count::kWithin)) {
      s.within_1e3 += turn.n;
      s.within_5e3 += turn.n;
    }
    for (size_t i = 0; i < kLanes; ++i) {
      s.max_rel[i] = std::max(s.max_rel[i], before[i]);
    }
  }

 private:
  // A quotient well below rtol is close however both were rounded. A golden
  // zero has the quotient 0, and is close only within atol.
  Count NeededBy(double max_rel, bool has_zeros) const {
    constexpr double kSure = 1 - 0x1p-30;
    return Needed(max_rel <= tol_.rtol * kSure && !has_zeros, max_rel <= 1e-3);
  }

  const BlockOps<T>& ops_;
  const Tolerance& tol_;
  Count count_;
};

// What most turns before this one needed, the next will need too.
Count Likely(const PairStats& before) {
  const auto rare = [&](uint64_t within) {
    return (before.used - within) * kTurn <= before.used;
  };
  return Needed(rare(before.close),
                rare(before.within_1e3 + before.rel_undefined));
}

// A block with NaN, infinities or unusual magnitudes, element by element.
template <typename T>
class CarefulBlock {
 public:
  CarefulBlock(const Block<T>& block, const Tolerance& tol)
      : block_(block), tol_(tol) {}

  PairStats Run() {
    out_.count = block_.n;
    for (size_t i = 0; i < block_.n; ++i) {
      if (IsUsed(i)) {
        Use(i);
      } else {
        CountNonFinite(i);
      }
    }
    FoldInto(sums_, out_);
    out_.golden = CentredMoments(block_.golden, Fold(sums_.g));
    out_.target = CentredMoments(block_.target, Fold(sums_.t));
    return out_;
  }

 private:
  bool IsUsed(size_t i) const {
    return std::isfinite(block_.golden[i]) && std::isfinite(block_.target[i]);
  }

  void Use(size_t i) {
    const double g = block_.golden[i], t = block_.target[i];
    const double abs_d = std::fabs(g - t);
    if (out_.used++ == 0) {
      out_.min_golden = out_.max_golden = Real(g);
      out_.min_target = out_.max_target = Real(t);
    }
    out_.min_golden.real = std::min(out_.min_golden.real, g + 0.0);
    out_.max_golden.real = std::max(out_.max_golden.real, g + 0.0);
    out_.min_target.real = std::min(out_.min_target.real, t + 0.0);
    out_.max_target.real = std::max(out_.max_target.real, t + 0.0);
    out_.equal += g == t;
    if (out_.max_abs_at == PairStats::kNowhere || abs_d > out_.max_abs.real) {
      out_.max_abs.real = abs_d;
      out_.max_abs_at = block_.base + i;
    }
    const double rel = AddDifference(g, t, abs_d, tol_, i % kLanes, sums_);
    if (g != 0) TakeRel(rel, i);
    TakeBits(block_.golden[i], out_.fraction_bits_golden);
    TakeBits(block_.target[i], out_.fraction_bits_target);
  }

  void TakeRel(double rel, size_t i) {
    if (out_.max_rel_at != PairStats::kNowhere && rel <= out_.max_rel) return;
    out_.max_rel = rel;
    out_.max_rel_at = block_.base + i;
  }

  static void TakeBits(T value, uint8_t& bits) {
    bits = std::max(
        bits, FractionBits(std::bit_cast<typename Spread<T>::Bits>(value)));
  }

  void CountNonFinite(size_t i) {
    const T g = block_.golden[i], t = block_.target[i];
    out_.nan_golden += std::isnan(g);
    out_.nan_target += std::isnan(t);
    out_.inf_golden += std::isinf(g);
    out_.inf_target += std::isinf(t);
    out_.equal += g == t;
    const bool both_nan = std::isnan(g) && std::isnan(t);
    if (g != t && !both_nan) {
      out_.one_sided_at = std::min(out_.one_sided_at, block_.base + i);
    }
  }

  Moments CentredMoments(const T* x, double sum) const {
    if (out_.used == 0) return {};
    const double n = static_cast<double>(out_.used);
    const double mean = sum / n;
    double rest[kLanes] = {}, squares[kLanes] = {};
    for (size_t i = 0; i < block_.n; ++i) {
      if (!IsUsed(i)) continue;
      const double v = static_cast<double>(x[i]) - mean;
      rest[i % kLanes] += v;
      squares[i % kLanes] += v * v;
    }
    const double left = Fold(rest);
    return {mean, NotNegative(Fold(squares) - left * left / n)};
  }

  const Block<T>& block_;
  const Tolerance& tol_;
  LaneSums sums_;
  PairStats out_;
};

}  // namespace

template <typename T>
void ReduceBlock(const BlockOps<T>& ops, const Block<T>& b,
                 const Tolerance& tol, PairStats& stats) {
  if (b.n == 0) return;
  LaneSums s;
  Spread<T> spread = {b.golden[0], b.golden[0], b.target[0], b.target[0]};
  TurnSums<T> sums(ops, tol, Likely(stats));
  for (size_t at = 0; at < b.n; at += kTurn) {
    const Turn<T> turn = {b.golden + at, b.target + at,
                          std::min(kTurn, b.n - at)};
    sums.Add(turn, spread, s);
  }
  const double gg = Fold(s.gg), tt = Fold(s.tt);
  if (!std::isfinite(gg + tt)) {
    stats.Merge(CarefulBlock<T>(b, tol).Run());
    return;
  }

  PairStats out;
  out.count = out.used = b.n;
  out.equal = spread.equal;
  // A golden zero has the quotient 0 in the vector routines, and no relative
  // error in the statistics.
  s.rel_undefined = spread.zero;
  s.within_1e3 -= spread.zero;
  s.within_5e3 -= spread.zero;
  FoldInto(s, out);
  out.sum_gt = BlockDot(ops, b, gg + tt, out.sum_dd);
  out.golden = BlockMoments(ops, b.golden, b.n, Fold(s.g), gg);
  out.target = BlockMoments(ops, b.target, b.n, Fold(s.t), tt);
  out.min_golden = Real(spread.min_g);
  out.max_golden = Real(spread.max_g);
  out.min_target = Real(spread.min_t);
  out.max_target = Real(spread.max_t);
  out.fraction_bits_golden = FractionBits(spread.bits_g);
  out.fraction_bits_target = FractionBits(spread.bits_t);
  out.max_abs.real = FoldMax(s.max_abs);
  out.max_rel = FoldMax(s.max_rel);
  // Places are looked up only where they can matter.
  if (stats.used == 0 || out.max_abs.real > stats.max_abs.real) {
    FindMaxAbs(ops, b, out);
  }
  if (stats.max_rel_at == PairStats::kNowhere || out.max_rel > stats.max_rel) {
    FindMaxRel(ops, b, out);
  }
  stats.Merge(out);
}

template void ReduceBlock<float>(const BlockOps<float>&, const Block<float>&,
                                 const Tolerance&, PairStats&);
template void ReduceBlock<double>(const BlockOps<double>&, const Block<double>&,
                                  const Tolerance&, PairStats&);

}  // namespace assay
