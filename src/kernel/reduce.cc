// The float and double reduce kernels, one copy per instruction set.
//
// A block of finite numbers takes the vector path. Anything else (a NaN, an
// infinity) shows up in the folded sums, and the block is redone element by
// element.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/reduce.cc"
#include "kernel/reduce.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <vector>

#include "kernel/block.h"
#include "kernel/lane_sums.h"
#include "kernel/targets.h"

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

// |d| / |g|, 0 where g is 0. A true division: it has a unit of its own, and the
// additions around it take longer. Where it is known that no g is 0, no
// element has to be asked.
enum class Zeros { kNone, kSome };
template <Zeros kZeros, class D>
HWY_INLINE VecOf<D> Quotient(D d, VecOf<D> abs_d, VecOf<D> abs_g) {
  if constexpr (kZeros == Zeros::kNone) return hn::Div(abs_d, abs_g);
  return hn::IfThenElseZero(hn::Ne(abs_g, hn::Zero(d)), hn::Div(abs_d, abs_g));
}

// The larger of two numbers that have no sign: as integers they have the same
// order, and where integers have their own units these are idle.
template <class D>
HWY_INLINE VecOf<D> MaxUnsigned(D d, VecOf<D> a, VecOf<D> b) {
  if constexpr (HWY_TARGET == HWY_AVX3) {
    const hn::RebindToSigned<D> bits;
    return hn::BitCast(d, hn::Max(hn::BitCast(bits, a), hn::BitCast(bits, b)));
  } else {
    return hn::Max(a, b);
  }
}

// Elements within a tolerance: |d|/|g| up to 1/1000 and 5/1000, |d| up to
// atol + rtol |g|.
template <Count kCount>
class Counter {
 public:
  explicit Counter(const Tolerance& tol) : tol_(tol) {}

  template <class D>
  HWY_INLINE void Add(D d, VecOf<D> rel, VecOf<D> abs_d, VecOf<D> abs_g) {
    if constexpr (Has(kCount, Count::kClose)) {
      const auto near =
          hn::Add(hn::Set(d, tol_.atol), hn::Mul(hn::Set(d, tol_.rtol), abs_g));
      close_ += hn::CountTrue(d, hn::Le(abs_d, near));
    }
    if constexpr (Has(kCount, Count::kWithin)) {
      const auto up_to = [&](double limit) {
        return hn::CountTrue(d, hn::Le(rel, hn::Set(d, limit)));
      };
      within_1e3_ += up_to(1e-3);
      within_5e3_ += up_to(5e-3);
    }
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

// The sums of lanes [lane, lane + Lanes(d)), in registers.
template <Count kCount, class D, typename T>
class LaneRegisters {
 public:
  HWY_INLINE LaneRegisters(D d, const Tolerance& tol, size_t lane, LaneSums& s)
      : lane_(lane), s_(s), count_(tol) {
    Each([&](VecOf<D>& v, double* x) { v = hn::LoadU(d, x + lane_); });
  }

  template <Zeros kZeros>
  HWY_INLINE void Add(D d, const T* HWY_RESTRICT g, const T* HWY_RESTRICT t) {
    const auto vg = LoadWide(d, g), vt = LoadWide(d, t);
    const auto diff = hn::Sub(vg, vt);
    const auto abs_d = hn::Abs(diff), abs_g = hn::Abs(vg);
    g_ = hn::Add(g_, vg);
    t_ = hn::Add(t_, vt);
    gg_ = AddProduct(vg, vg, gg_, T{});
    tt_ = AddProduct(vt, vt, tt_, T{});
    dd_ = hn::Add(dd_, hn::Mul(diff, diff));
    abs_ = hn::Add(abs_, abs_d);
    max_abs_ = MaxUnsigned(d, max_abs_, abs_d);
    const auto rel = Quotient<kZeros>(d, abs_d, abs_g);
    rel_ = hn::Add(rel_, rel);
    max_rel_ = MaxUnsigned(d, max_rel_, rel);
    count_.Add(d, rel, abs_d, abs_g);
  }

  HWY_INLINE void Store(D d) {
    Each([&](VecOf<D>& v, double* x) { hn::StoreU(v, d, x + lane_); });
    count_.Store(s_);
  }

 private:
  template <typename F>
  HWY_INLINE void Each(const F& f) {
    f(g_, s_.g), f(t_, s_.t), f(gg_, s_.gg), f(tt_, s_.tt);
    f(dd_, s_.dd), f(abs_, s_.abs), f(rel_, s_.rel);
    f(max_abs_, s_.max_abs), f(max_rel_, s_.max_rel);
  }

  size_t lane_;
  LaneSums& s_;
  VecOf<D> g_, t_, gg_, tt_, dd_, abs_, rel_, max_abs_, max_rel_;
  Counter<kCount> count_;
};

// What comes next arrives while this is computed.
template <typename T>
HWY_INLINE void FetchNext(const T* g, const T* t) {
  constexpr size_t kAhead = 2048;
  __builtin_prefetch(g + kAhead);
  __builtin_prefetch(t + kAhead);
}

// Lanes [lane, lane + Lanes(d)) of `groups` groups of 8 elements.
template <Count kCount, class D, typename T>
HWY_INLINE void SumLanes(D d, const Turn<T>& turn, size_t groups,
                         const Tolerance& tol, size_t lane, LaneSums& s) {
  LaneRegisters<kCount, D, T> sums(d, tol, lane, s);
  for (size_t at = lane; at < groups * kLanes; at += kLanes) {
    if (lane == 0) FetchNext(turn.golden + at, turn.target + at);
    sums.template Add<Zeros::kSome>(d, turn.golden + at, turn.target + at);
  }
  sums.Store(d);
}

// Counts alone, for a turn that was summed without them.
template <Count kCount, typename T>
void Counts(const Turn<T>& turn, const Tolerance& tol, LaneSums& s) {
  Counter<kCount> count(tol);
  const auto scan = [&](auto d, size_t i) {
    for (; i + hn::Lanes(d) <= turn.n; i += hn::Lanes(d)) {
      const auto vg = LoadWide(d, turn.golden + i);
      const auto abs_g = hn::Abs(vg);
      const auto abs_d = hn::Abs(hn::Sub(vg, LoadWide(d, turn.target + i)));
      count.Add(d, Quotient<Zeros::kSome>(d, abs_d, abs_g), abs_d, abs_g);
    }
    return i;
  };
  scan(hn::CappedTag<double, 1>(), scan(hn::CappedTag<double, kLanes>(), 0));
  count.Store(s);
}

// Extremes, equality and the mantissa bits in use. These do not depend on the
// order of the elements, so the registers are used at full width.
template <class D, typename T = hn::TFromD<D>>
class SpreadRegisters {
 public:
  HWY_INLINE SpreadRegisters(D d, const Spread<T>& s)
      : min_g_(hn::Set(d, s.min_g)),
        max_g_(hn::Set(d, s.max_g)),
        min_t_(hn::Set(d, s.min_t)),
        max_t_(hn::Set(d, s.max_t)) {}

  // Whether a golden value is 0.
  HWY_INLINE bool Add(D d, const T* HWY_RESTRICT g, const T* HWY_RESTRICT t) {
    const Bits du;
    const auto vg = hn::LoadU(d, g), vt = hn::LoadU(d, t);
    min_g_ = hn::Min(min_g_, vg), max_g_ = hn::Max(max_g_, vg);
    min_t_ = hn::Min(min_t_, vt), max_t_ = hn::Max(max_t_, vt);
    bits_g_ = hn::Or(bits_g_, hn::BitCast(du, vg));
    bits_t_ = hn::Or(bits_t_, hn::BitCast(du, vt));
    equal_ += hn::CountTrue(d, hn::Eq(vg, vt));
    const size_t zeros = hn::CountTrue(d, hn::Eq(vg, hn::Zero(d)));
    zero_ += zeros;
    return zeros != 0;
  }

  HWY_INLINE void Store(D d, Spread<T>& s) const {
    s.min_g = hn::GetLane(hn::MinOfLanes(d, min_g_));
    s.max_g = hn::GetLane(hn::MaxOfLanes(d, max_g_));
    s.min_t = hn::GetLane(hn::MinOfLanes(d, min_t_));
    s.max_t = hn::GetLane(hn::MaxOfLanes(d, max_t_));
    s.bits_g |= OrOfLanes(bits_g_);
    s.bits_t |= OrOfLanes(bits_t_);
    s.equal += equal_;
    s.zero += zero_;
  }

 private:
  using Bits = hn::RebindToUnsigned<D>;

  static HWY_INLINE typename Spread<T>::Bits OrOfLanes(VecOf<Bits> v) {
    typename Spread<T>::Bits lanes[hn::MaxLanes(Bits())], all = 0;
    hn::StoreU(v, Bits(), lanes);
    for (size_t i = 0; i < hn::Lanes(Bits()); ++i) all |= lanes[i];
    return all;
  }

  VecOf<D> min_g_, max_g_, min_t_, max_t_;
  VecOf<Bits> bits_g_ = hn::Zero(Bits()), bits_t_ = hn::Zero(Bits());
  size_t equal_ = 0, zero_ = 0;
};

template <class D, typename T = hn::TFromD<D>>
HWY_INLINE void SpreadLanes(D d, const Turn<T>& turn, Spread<T>& s) {
  SpreadRegisters<D> spread(d, s);
  for (size_t i = 0; i < turn.n; i += hn::Lanes(d)) {
    spread.Add(d, turn.golden + i, turn.target + i);
  }
  spread.Store(d, s);
}

template <typename T>
void FindSpread(const Turn<T>& turn, Spread<T>& s) {
  const hn::ScalableTag<T> d;
  const size_t whole = turn.n - turn.n % hn::Lanes(d);
  SpreadLanes(d, turn.Part(0, whole), s);
  SpreadLanes(hn::CappedTag<T, 1>(), turn.Part(whole, turn.n - whole), s);
}

// Whether one register holds the lanes of a group: then there are registers
// enough for the spread and the sums in one loop, where both hide behind the
// divisions.
template <typename T>
constexpr bool kOneLoop = HWY_TARGET == HWY_AVX3 && sizeof(T) == 4;

template <Count kCount, typename T>
void SpreadAndSums(const Turn<T>& turn, const Tolerance& tol, Spread<T>& spread,
                   LaneSums& s) {
  const hn::ScalableTag<T> d;
  const hn::CappedTag<double, kLanes> wide;
  SpreadRegisters<decltype(d)> extremes(d, spread);
  LaneRegisters<kCount, decltype(wide), T> sums(wide, tol, 0, s);
  for (size_t at = 0; at < turn.n; at += hn::Lanes(d)) {
    const bool zeros = extremes.Add(d, turn.golden + at, turn.target + at);
    FetchNext(turn.golden + at, turn.target + at);
    for (size_t i = at; i < at + hn::Lanes(d) && zeros; i += kLanes) {
      sums.template Add<Zeros::kSome>(wide, turn.golden + i, turn.target + i);
    }
    for (size_t i = at; i < at + hn::Lanes(d) && !zeros; i += kLanes) {
      sums.template Add<Zeros::kNone>(wide, turn.golden + i, turn.target + i);
    }
  }
  extremes.Store(d, spread);
  sums.Store(wide);
}

template <Count kCount, typename T>
void Sums(const Turn<T>& turn, const Tolerance& tol, Spread<T>& spread,
          LaneSums& s) {
  size_t done = 0;
  if constexpr (kOneLoop<T>) {
    done = turn.n - turn.n % hn::Lanes(hn::ScalableTag<T>());
    SpreadAndSums<kCount>(turn.Part(0, done), tol, spread, s);
  }
  const Turn<T> rest = turn.Part(done, turn.n - done);
  FindSpread(rest, spread);
  const hn::CappedTag<double, kLanes> d;
  const size_t groups = rest.n / kLanes;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    SumLanes<kCount>(d, rest, groups, tol, lane, s);
  }
  const Turn<T> tail = rest.Part(groups * kLanes, rest.n % kLanes);
  const hn::CappedTag<double, 1> one;
  for (size_t lane = 0; lane < tail.n; ++lane) {
    SumLanes<kCount>(one, tail, 1, tol, lane, s);
  }
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

// Sum of g t, in the lanes of the other sums.
template <typename T>
double Dot(const T* g, const T* t, size_t n) {
  const hn::CappedTag<double, kLanes> d;
  alignas(64) double sum[kLanes] = {};
  const size_t groups = n / kLanes;
  for (size_t lane = 0; lane < kLanes; lane += hn::Lanes(d)) {
    auto s = hn::Zero(d);
    for (size_t i = lane; i < groups * kLanes; i += kLanes) {
      s = AddProduct(LoadWide(d, g + i), LoadWide(d, t + i), s, T{});
    }
    hn::StoreU(s, d, sum + lane);
  }
  for (size_t i = groups * kLanes; i < n; ++i) {
    sum[i % kLanes] += static_cast<double>(g[i]) * static_cast<double>(t[i]);
  }
  return Fold(sum);
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

// The first element with |g-t|/|g| = wanted where g is not 0.
template <typename T>
size_t FindRel(const T* g, const T* t, size_t n, double wanted) {
  const auto scan = [&](auto d, size_t i) {
    for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
      const auto vg = LoadWide(d, g + i);
      const auto abs_d = hn::Abs(hn::Sub(vg, LoadWide(d, t + i)));
      const auto rel = Quotient<Zeros::kSome>(d, abs_d, hn::Abs(vg));
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
constexpr BlockOps<T> kOps = {
    {Sums<Count::kNone, T>, Sums<Count::kClose, T>, Sums<Count::kWithin, T>,
     Sums<Count::kAll, T>},
    {nullptr, Counts<Count::kClose, T>, Counts<Count::kWithin, T>,
     Counts<Count::kAll, T>},
    Dot<T>,
    CentredSquares<T>,
    FindAbs<T>,
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
    std::vector<const ReduceKernels*> list;
#define ASSAY_ADD(target, ns, kernels) \
  if (CpuHas(target)) list.push_back(&ns::kernels);
    ASSAY_EACH_TARGET(ASSAY_ADD, kKernels)
#undef ASSAY_ADD
    return list;
  }();
  return available;
}

}  // namespace assay
#endif
