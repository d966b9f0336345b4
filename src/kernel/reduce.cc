// The float and double reduce kernels, one copy per instruction set.
//
// A block of finite numbers takes the vector path. Anything else (a NaN, an
// infinity, a golden value whose reciprocal leaves float32) shows up in the
// folded sums, and the block is redone element by element.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/reduce.cc"
#include "kernel/reduce.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <vector>

#include "kernel/block.h"
#include "kernel/lane_sums.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
using VecOf = hn::Vec<D>;

template <class D>
HWY_INLINE VecOf<D> LoadWide(D d, const float* p) {
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), p));
}
template <class D>
HWY_INLINE VecOf<D> LoadWide(D d, const double* p) {
  return hn::LoadU(d, p);
}

// a b + c. Products of two float32 values are exact in double, so there a fused
// multiply-add gives the same digits as a multiplication and an addition, on
// every CPU; products of doubles are rounded, so there it must not be used.
template <class V>
HWY_INLINE V AddProduct(V a, V b, V c, float) {
  return hn::MulAdd(a, b, c);
}
template <class V>
HWY_INLINE V AddProduct(V a, V b, V c, double) {
  return hn::Add(c, hn::Mul(a, b));
}

// |d| / |g|, 0 where g is 0. float32 data: a float32 reciprocal and one Newton
// step in double: 2^-46 relative (2^-44 where 1/|g| is subnormal), far cheaper
// than a division of doubles.
template <class D>
HWY_INLINE VecOf<D> Quotient(D d, VecOf<D> abs_d, VecOf<D> abs_g,
                             const float* inverse) {
  const auto first = LoadWide(d, inverse);
  const auto error = hn::NegMulAdd(abs_g, first, hn::Set(d, 1.0));  // exact
  return hn::Mul(abs_d, hn::Add(first, hn::Mul(first, error)));
}
template <class D>
HWY_INLINE VecOf<D> Quotient(D d, VecOf<D> abs_d, VecOf<D> abs_g,
                             const double*) {
  return hn::IfThenZeroElse(hn::Eq(abs_g, hn::Zero(d)), hn::Div(abs_d, abs_g));
}

// Elements within a tolerance: |d|/|g| up to 1/1000 and 5/1000, |d| up to
// atol + rtol |g|.
template <typename T>
class Counter {
 public:
  explicit Counter(const Tolerance& tol) : tol_(tol) {}

  template <class D>
  HWY_INLINE void Add(D d, VecOf<D> rel, VecOf<D> abs_d, VecOf<D> abs_g) {
    const auto near =
        hn::Add(hn::Set(d, tol_.atol), hn::Mul(hn::Set(d, tol_.rtol), abs_g));
    within_1e3_ += hn::CountTrue(d, hn::Le(rel, hn::Set(d, 1e-3 * Slack(T{}))));
    within_5e3_ += hn::CountTrue(d, hn::Le(rel, hn::Set(d, 5e-3 * Slack(T{}))));
    close_ += hn::CountTrue(d, hn::Le(abs_d, near));
  }
  void Store(LaneSums& s) const {
    s.within_1e3 += within_1e3_;
    s.within_5e3 += within_5e3_;
    s.close += close_;
  }

 private:
  Tolerance tol_;
  size_t within_1e3_ = 0, within_5e3_ = 0, close_ = 0;
};

// Lanes [lane, lane + Lanes(d)) of `groups` groups of 8 elements.
template <bool kCount, class D, typename T>
HWY_INLINE void SumLanes(D d, const Turn<T>& turn, size_t groups,
                         const Tolerance& tol, size_t lane, LaneSums& s) {
  const T* HWY_RESTRICT const g = turn.golden;
  const T* HWY_RESTRICT const t = turn.target;
  const T* HWY_RESTRICT const inverse = turn.inverse;
  const auto load = [&](const double* from) {
    return hn::LoadU(d, from + lane);
  };
  auto sg = load(s.g), st = load(s.t), sgg = load(s.gg), stt = load(s.tt),
       sgt = load(s.gt), sdd = load(s.dd), sabs = load(s.abs),
       srel = load(s.rel), max_abs = load(s.max_abs), max_rel = load(s.max_rel);
  Counter<T> count(tol);

  for (size_t i = 0; i < groups; ++i) {
    const size_t at = i * kLanes + lane;
    if (lane == 0) {  // the next turn arrives while this one is computed
      __builtin_prefetch(g + at + kTurn);
      __builtin_prefetch(t + at + kTurn);
    }
    const auto vg = LoadWide(d, g + at), vt = LoadWide(d, t + at);
    const auto diff = hn::Sub(vg, vt);
    const auto abs_d = hn::Abs(diff), abs_g = hn::Abs(vg);
    sg = hn::Add(sg, vg);
    st = hn::Add(st, vt);
    sgg = AddProduct(vg, vg, sgg, T{});
    stt = AddProduct(vt, vt, stt, T{});
    sgt = AddProduct(vg, vt, sgt, T{});
    sdd = hn::Add(sdd, hn::Mul(diff, diff));
    sabs = hn::Add(sabs, abs_d);
    max_abs = hn::Max(max_abs, abs_d);

    const auto rel = Quotient(d, abs_d, abs_g, inverse + at);
    srel = hn::Add(srel, rel);
    max_rel = hn::Max(max_rel, rel);
    if constexpr (kCount) count.Add(d, rel, abs_d, abs_g);
  }

  const auto store = [&](VecOf<D> v, double* to) {
    hn::StoreU(v, d, to + lane);
  };
  store(sg, s.g), store(st, s.t), store(sgg, s.gg), store(stt, s.tt);
  store(sgt, s.gt), store(sdd, s.dd), store(sabs, s.abs);
  store(srel, s.rel);
  store(max_abs, s.max_abs), store(max_rel, s.max_rel);
  if constexpr (kCount) count.Store(s);
}

// The counts alone, for a turn that was summed without them.
template <typename T>
void Counts(const Turn<T>& turn, const Tolerance& tol, LaneSums& s) {
  Counter<T> count(tol);
  const auto scan = [&](auto d, size_t i) {
    for (; i + hn::Lanes(d) <= turn.n; i += hn::Lanes(d)) {
      const auto vg = LoadWide(d, turn.golden + i);
      const auto abs_g = hn::Abs(vg);
      const auto abs_d = hn::Abs(hn::Sub(vg, LoadWide(d, turn.target + i)));
      const auto rel = Quotient(d, abs_d, abs_g, turn.inverse + i);
      count.Add(d, rel, abs_d, abs_g);
    }
    return i;
  };
  scan(hn::CappedTag<double, 1>(), scan(hn::CappedTag<double, kLanes>(), 0));
  count.Store(s);
}

template <bool kCount, typename T>
void Sums(const Turn<T>& turn, const Tolerance& tol, LaneSums& s) {
  const hn::CappedTag<double, kLanes> d;
  const size_t groups = turn.n / kLanes, tail = groups * kLanes;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    SumLanes<kCount>(d, turn, groups, tol, lane, s);
  }
  const Turn<T> rest = {turn.golden + tail, turn.target + tail,
                        turn.inverse + tail, turn.n - tail};
  const hn::CappedTag<double, 1> one;
  for (size_t lane = 0; lane < rest.n; ++lane) {
    SumLanes<kCount>(one, rest, 1, tol, lane, s);
  }
}

// float32 reciprocals for Quotient; 0 where the value is 0.
template <class D, class M>
HWY_INLINE void StoreInverse(D d, hn::Vec<D> v, M is_zero, float* to) {
  const auto inverse = hn::Div(hn::Set(d, 1.0f), hn::Abs(v));
  hn::StoreU(hn::IfThenZeroElse(is_zero, inverse), d, to);
}
template <class D, class M>
HWY_INLINE void StoreInverse(D, hn::Vec<D>, M, double*) {}

// Extremes, equality and the mantissa bits in use. These do not depend on the
// order of the elements, so the registers are used at full width.
template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void SpreadLanes(D d, const Turn<T>& turn, Spread<T>& s) {
  const T* HWY_RESTRICT const g = turn.golden;
  const T* HWY_RESTRICT const t = turn.target;
  const hn::RebindToUnsigned<D> du;
  auto min_g = hn::Set(d, s.min_g), max_g = hn::Set(d, s.max_g);
  auto min_t = hn::Set(d, s.min_t), max_t = hn::Set(d, s.max_t);
  auto bits_g = hn::Zero(du), bits_t = hn::Zero(du);
  size_t equal = 0, zero = 0;
  for (size_t i = 0; i < turn.n; i += hn::Lanes(d)) {
    const auto vg = hn::LoadU(d, g + i), vt = hn::LoadU(d, t + i);
    min_g = hn::Min(min_g, vg), max_g = hn::Max(max_g, vg);
    min_t = hn::Min(min_t, vt), max_t = hn::Max(max_t, vt);
    bits_g = hn::Or(bits_g, hn::BitCast(du, vg));
    bits_t = hn::Or(bits_t, hn::BitCast(du, vt));
    equal += hn::CountTrue(d, hn::Eq(vg, vt));
    const auto is_zero = hn::Eq(vg, hn::Zero(d));
    zero += hn::CountTrue(d, is_zero);
    StoreInverse(d, vg, is_zero, turn.inverse + i);
  }
  s.min_g = hn::GetLane(hn::MinOfLanes(d, min_g));
  s.max_g = hn::GetLane(hn::MaxOfLanes(d, max_g));
  s.min_t = hn::GetLane(hn::MinOfLanes(d, min_t));
  s.max_t = hn::GetLane(hn::MaxOfLanes(d, max_t));
  typename Spread<T>::Bits lanes[hn::MaxLanes(du)];
  hn::StoreU(bits_g, du, lanes);
  for (size_t i = 0; i < hn::Lanes(du); ++i) s.bits_g |= lanes[i];
  hn::StoreU(bits_t, du, lanes);
  for (size_t i = 0; i < hn::Lanes(du); ++i) s.bits_t |= lanes[i];
  s.equal += equal;
  s.zero += zero;
}

template <typename T>
void FindSpread(const Turn<T>& turn, Spread<T>& s) {
  const hn::ScalableTag<T> d;
  const size_t whole = turn.n - turn.n % hn::Lanes(d);
  SpreadLanes(d, {turn.golden, turn.target, turn.inverse, whole}, s);
  SpreadLanes(hn::CappedTag<T, 1>(),
              {turn.golden + whole, turn.target + whole, turn.inverse + whole,
               turn.n - whole},
              s);
}

// Sum of (x - mean)^2 minus what the rounding of the mean left: the centred
// second moment where the plain formula would cancel.
template <typename T>
double CentredSquares(const T* x, size_t n, double mean) {
  const hn::CappedTag<double, kLanes> d;
  alignas(64) double sum[kLanes] = {}, squares[kLanes] = {};
  const size_t groups = n / kLanes;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    auto s = hn::Zero(d), ss = hn::Zero(d);
    for (size_t i = 0; i < groups; ++i) {
      const auto v =
          hn::Sub(LoadWide(d, x + i * kLanes + lane), hn::Set(d, mean));
      s = hn::Add(s, v);
      ss = hn::Add(ss, hn::Mul(v, v));
    }
    hn::StoreU(s, d, sum + lane);
    hn::StoreU(ss, d, squares + lane);
  }
  for (size_t i = groups * kLanes; i < n; ++i) {
    const double v = static_cast<double>(x[i]) - mean;
    sum[i % kLanes] += v;
    squares[i % kLanes] += v * v;
  }
  const double rest = Fold(sum);
  return Fold(squares) - rest * rest / static_cast<double>(n);
}

size_t CountAbove(const float* g, const float* t, size_t n, double limit) {
  size_t count = 0;
  const auto scan = [&](auto d, size_t i) {
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
      const auto abs_d =
          hn::Abs(hn::Sub(LoadWide(d, g + i), LoadWide(d, t + i)));
      count +=
          hn::Lanes(d) - hn::CountTrue(d, hn::Le(abs_d, hn::Set(d, limit)));
    }
    return i;
  };
  scan(hn::CappedTag<double, 1>(), scan(hn::CappedTag<double, kLanes>(), 0));
  return count;
}

// The first element with |g-t| = wanted; n if there is none.
template <typename T>
size_t FindAbs(const T* g, const T* t, size_t n, double wanted) {
  const auto scan = [&](auto d, size_t i) {
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
      const auto abs_d =
          hn::Abs(hn::Sub(LoadWide(d, g + i), LoadWide(d, t + i)));
      if (!hn::AllFalse(d, hn::Eq(abs_d, hn::Set(d, wanted)))) break;
    }
    return i;
  };
  return scan(hn::CappedTag<double, 1>(),
              scan(hn::CappedTag<double, kLanes>(), 0));
}

// The first element whose quotient, as Quotient computes it, is `wanted`.
template <typename T>
size_t FindRel(const T* g, const T* t, size_t n, double wanted) {
  const auto scan = [&](auto d, size_t i) {
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
      const hn::Rebind<T, decltype(d)> narrow;
      const auto vg = LoadWide(d, g + i);
      const auto abs_d = hn::Abs(hn::Sub(vg, LoadWide(d, t + i)));
      T inverse[kLanes];
      const auto stored = hn::LoadU(narrow, g + i);
      const auto is_zero = hn::Eq(stored, hn::Zero(narrow));
      StoreInverse(narrow, stored, is_zero, inverse);
      const auto rel = Quotient(d, abs_d, hn::Abs(vg), inverse);
      const auto hit =
          hn::AndNot(hn::Eq(vg, hn::Zero(d)), hn::Eq(rel, hn::Set(d, wanted)));
      if (!hn::AllFalse(d, hit)) break;
    }
    return i;
  };
  return scan(hn::CappedTag<double, 1>(),
              scan(hn::CappedTag<double, kLanes>(), 0));
}

template <typename T>
constexpr BlockOps<T> kOps = {FindSpread<T>, Sums<true, T>,     Sums<false, T>,
                              Counts<T>,     CentredSquares<T>, FindAbs<T>,
                              FindRel<T>};

void ReduceF32(const float* g, const float* t, size_t n, uint64_t base,
               const Tolerance& tol, PairStats& stats) {
  ReduceBlock(kOps<float>, {g, t, n, base}, tol, stats);
}

void ReduceF64(const double* g, const double* t, size_t n, uint64_t base,
               const Tolerance& tol, PairStats& stats) {
  ReduceBlock(kOps<double>, {g, t, n, base}, tol, stats);
}

}  // namespace

extern const ReduceKernels kKernels;
const ReduceKernels kKernels = {SimdName(HWY_TARGET), ReduceF32, ReduceF64,
                                CountAbove};

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {

std::span<const ReduceKernels* const> AvailableKernels() {
  static const std::vector<const ReduceKernels*> available = [] {
    const int64_t can = hwy::SupportedTargets();
    std::vector<const ReduceKernels*> list;
#define ASSAY_ADD(target, ns) \
  if (can & (target)) list.push_back(&ns::kKernels);
#if HWY_TARGETS & HWY_AVX3
    ASSAY_ADD(HWY_AVX3, N_AVX3)
#endif
#if HWY_TARGETS & HWY_AVX2
    ASSAY_ADD(HWY_AVX2, N_AVX2)
#endif
#if HWY_TARGETS & HWY_SSE4
    ASSAY_ADD(HWY_SSE4, N_SSE4)
#endif
#if HWY_TARGETS & HWY_NEON
    ASSAY_ADD(HWY_NEON, N_NEON)
#endif
#if HWY_TARGETS & HWY_EMU128
    ASSAY_ADD(HWY_EMU128, N_EMU128)
#endif
#if HWY_TARGETS & HWY_SCALAR
    ASSAY_ADD(HWY_SCALAR, N_SCALAR)
#endif
#undef ASSAY_ADD
    return list;
  }();
  return available;
}

}  // namespace assay
#endif
