#include "kernel/examine.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernel/reduce.h"

namespace assay {
namespace {

bool Worse(const ElementAt& a, const ElementAt& b) {
  return a.error != b.error ? a.error > b.error : a.index < b.index;
}

// Fraction bits of the coarser float type: one ULP is a step of its last one.
int FractionBits(DType type) {
  const double roundoff = Info(Info(type).part).roundoff;
  return roundoff > 0 ? -std::ilogb(roundoff) - 1 : 52;
}

// Floats as integers in the order of their values; neighbours differ by 1.
int64_t Ordered(float x) {
  const auto bits = std::bit_cast<int32_t>(x);
  return bits < 0 ? -int64_t{bits & 0x7fffffff} : int64_t{bits};
}
int64_t Ordered(double x) {
  const auto bits = std::bit_cast<int64_t>(x);
  return bits < 0 ? -(bits & 0x7fffffffffffffff) : bits;
}
int64_t Ordered(int64_t x) { return x; }

template <typename T>
double Ulps(T g, T t, int fraction) {
  if constexpr (std::is_integral_v<T>) {
    return std::fabs(static_cast<double>(g) - static_cast<double>(t));
  } else {
    const int native = sizeof(T) == 4 ? 23 : 52;
    const double steps = std::fabs(static_cast<double>(Ordered(g)) -
                                   static_cast<double>(Ordered(t)));
    return std::ldexp(steps, -std::max(0, native - fraction));
  }
}

// A good mixer: sums of mixed values do not agree by accident.
uint64_t Mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// A value as 64 well-mixed bits; float32 in arithmetic that has vector code.
template <typename T>
uint64_t Fingerprint(T x) {
  return Mixed(static_cast<uint64_t>(Ordered(x)) + 1);
}
uint64_t Fingerprint(float x) {
  uint32_t bits = std::bit_cast<uint32_t>(x);
  bits = (bits ^ bits >> 15) * 0x2c1b3c6du;
  return (bits ^ bits >> 12) * uint64_t{0x297a2d39};
}

template <typename T>
Number ToNumber(T value, NumberKind kind) {
  if constexpr (std::is_integral_v<T>) {
    return Number({.sint = value}, kind);
  } else {
    return Number(static_cast<double>(value));
  }
}

// |t-g| as people rank it: NaN/Inf on one side only is worse than any number.
template <typename T>
double ErrorOf(T g, T t, NumberKind kind) {
  if constexpr (std::is_integral_v<T>) {
    const double a = ToNumber(g, kind).AsDouble();
    const double b = ToNumber(t, kind).AsDouble();
    return std::fabs(a - b);
  } else {
    if (g == t || (std::isnan(g) && std::isnan(t))) return 0;
    if (!std::isfinite(g) || !std::isfinite(t)) return HUGE_VAL;
    return std::fabs(static_cast<double>(g) - static_cast<double>(t));
  }
}

size_t CountAbove(const float* g, const float* t, size_t n, double limit) {
  return AvailableKernels().front()->count_above(g, t, n, limit);
}
template <typename T>
size_t CountAbove(const T* g, const T* t, size_t n, double limit) {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) {
    const double error =
        std::fabs(static_cast<double>(g[i]) - static_cast<double>(t[i]));
    count += !(error <= limit) || g[i] != t[i];
  }
  return count;
}

NumberKind KindOf(DType type) {
  if (type == DType::kU64) return NumberKind::kUnsigned;
  return NumberKind::kSigned;
}

}  // namespace

void LogHistogram::Add(double x) {
  if (x == 0) {
    ++zero;
  } else if (!std::isfinite(x)) {
    ++not_finite;
  } else {
    const int decade = static_cast<int>(std::floor(std::log10(std::fabs(x))));
    ++bins[static_cast<size_t>(std::clamp(decade, kFirst, kLast) - kFirst)];
  }
}

void Examiner::Keep(const ElementAt& element) {
  std::vector<ElementAt>& worst = detail_.worst;
  worst.insert(std::upper_bound(worst.begin(), worst.end(), element, Worse),
               element);
  if (worst.size() > wants_.worst) worst.pop_back();
}

// Few blocks hold one of the worst elements; the others are passed over fast.
template <typename T>
void Examiner::AddWorst(const TilePair& tile, NumberKind golden,
                        NumberKind target) {
  const T* g = tile.Golden<T>();
  const T* t = tile.Target<T>();
  const auto limit = [&] {
    return detail_.worst.size() < wants_.worst ? 0 : detail_.worst.back().error;
  };
  const size_t candidates = CountAbove(g, t, tile.n, limit());
  for (size_t i = 0; candidates > 0 && i < tile.n; ++i) {
    const double error = ErrorOf(g[i], t[i], golden);
    if (!(error > limit())) continue;
    Keep(
        {tile.base + i, ToNumber(g[i], golden), ToNumber(t[i], target), error});
  }
}

template <typename T>
void Examiner::AddSpread(const TilePair& tile, NumberKind kind) {
  const int fraction = std::min(FractionBits(golden_), FractionBits(target_));
  for (size_t i = 0; i < tile.n; ++i) {
    const T g = tile.Golden<T>()[i], t = tile.Target<T>()[i];
    const double error = ErrorOf(g, t, kind);
    detail_.errors.Add(error);
    if (error == 0 || !std::isfinite(error)) continue;
    detail_.max_ulp = std::max(detail_.max_ulp, Ulps(g, t, fraction));
  }
}

template <typename T>
void Examiner::AddTile(const TilePair& tile, NumberKind golden,
                       NumberKind target) {
  if (wants_.worst > 0) AddWorst<T>(tile, golden, target);
  if (wants_.spread) AddSpread<T>(tile, golden);
  if (!wants_.same_values) return;
  for (size_t i = 0; i < tile.n; ++i) {
    sum_golden_ += Fingerprint(tile.Golden<T>()[i]);
    sum_target_ += Fingerprint(tile.Target<T>()[i]);
  }
}

void Examiner::Add(const TilePair& tile) {
  switch (tile.type) {
    case TileType::kF32:
      return AddTile<float>(tile, NumberKind::kReal, NumberKind::kReal);
    case TileType::kF64:
      return AddTile<double>(tile, NumberKind::kReal, NumberKind::kReal);
    case TileType::kI64:
      return AddTile<int64_t>(tile, KindOf(golden_), KindOf(target_));
  }
}

Detail Examiner::Finish() && {
  detail_.same_values = wants_.same_values && sum_golden_ == sum_target_;
  return std::move(detail_);
}

}  // namespace assay
