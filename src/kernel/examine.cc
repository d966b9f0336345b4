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

// The steps of a float type: so many bits of fraction, never below `tiny`.
struct Grid {
  int fraction;
  double tiny;
};

Grid GridOf(DType type) {
  const DTypeInfo& info = Info(Info(type).part);
  if (info.roundoff == 0) return {52, 0x1p-1074};
  return {-std::ilogb(info.roundoff) - 1, info.tiny};
}

Grid Coarser(Grid a, Grid b) { return a.fraction < b.fraction ? a : b; }

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

// The steps of a coarser type between zero and x.
template <typename T>
double Steps(T x, Grid grid, int native) {
  const T size = std::fabs(x);
  const auto normal = static_cast<T>(std::ldexp(grid.tiny, grid.fraction));
  const auto above = static_cast<double>(Ordered(size) - Ordered(normal));
  const double steps = size < normal
                           ? size / grid.tiny
                           : std::ldexp(1, grid.fraction) +
                                 std::ldexp(above, grid.fraction - native);
  return std::copysign(steps, x);
}

template <typename T>
double Ulps(T g, T t, Grid grid) {
  constexpr int kNative = sizeof(T) == 4 ? 23 : 52;
  if (grid.fraction >= kNative) {
    return std::fabs(static_cast<double>(__int128{Ordered(g)} - Ordered(t)));
  }
  return std::fabs(Steps(g, grid, kNative) - Steps(t, grid, kNative));
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
  uint32_t bits = std::bit_cast<uint32_t>(x + 0.0f);  // -0 is 0
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
double ErrorOf(T g, T t, NumberKind golden, NumberKind target) {
  if constexpr (std::is_integral_v<T>) {
    return std::fabs(Difference(ToNumber(g, golden), ToNumber(t, target)));
  } else {
    if (g == t || (std::isnan(g) && std::isnan(t))) return 0;
    if (!std::isfinite(g) || !std::isfinite(t)) return HUGE_VAL;
    return std::fabs(static_cast<double>(g) - static_cast<double>(t));
  }
}

size_t CountAbove(const float* g, const float* t, size_t n, double limit) {
  return AvailableKernels().front()->count_above(g, t, n, limit);
}
size_t CountAbove(const double* g, const double* t, size_t n, double limit) {
  size_t count = 0;
  for (size_t i = 0; i < n; ++i) count += !(std::fabs(g[i] - t[i]) <= limit);
  return count;
}
size_t CountAbove(const int64_t*, const int64_t*, size_t n, double) {
  return n;  // what the bits mean is not known here
}

NumberKind KindOf(DType type) {
  if (type == DType::kU64) return NumberKind::kUnsigned;
  return NumberKind::kSigned;
}

}  // namespace

void Examiner::Keep(const ElementAt& element,
                    std::vector<ElementAt>& worst) const {
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
    const double error = ErrorOf(g[i], t[i], golden, target);
    if (!(error > limit())) continue;
    Keep({tile.base + i, ToNumber(g[i], golden), ToNumber(t[i], target), error},
         detail_.worst);
  }
}

template <typename T>
void Examiner::AddSpread(const TilePair& tile, NumberKind golden,
                         NumberKind target) {
  const Grid grid = Coarser(GridOf(golden_), GridOf(target_));
  for (size_t i = 0; i < tile.n; ++i) {
    const T g = tile.Golden<T>()[i], t = tile.Target<T>()[i];
    const double error = ErrorOf(g, t, golden, target);
    detail_.spread.errors.Add(error);
    if (error == 0 || !std::isfinite(error)) continue;
    double ulps = error;
    if constexpr (!std::is_integral_v<T>) ulps = Ulps(g, t, grid);
    double& most = detail_.spread.max_ulp;
    most = std::max(most, ulps);
  }
}

template <typename T>
void Examiner::AddPlaces(const TilePair& tile, NumberKind golden,
                         NumberKind target) {
  ValueBins& values = detail_.spread.values;
  const auto count = [&](double x, auto& bins) {
    if (!std::isfinite(x)) return;
    // NaN where all values are equal, or too far apart for a double.
    const double step = (x - wants_.low) / (wants_.high - wants_.low);
    const double last = ValueBins::kBins - 1;
    const double at = std::isnan(step) ? 0 : step * ValueBins::kBins;
    ++bins[static_cast<size_t>(std::clamp(at, 0.0, last))];
  };
  for (size_t i = 0; i < tile.n; ++i) {
    const Number g = ToNumber(tile.Golden<T>()[i], golden);
    const Number t = ToNumber(tile.Target<T>()[i], target);
    count(g.AsDouble(), values.golden);
    count(t.AsDouble(), values.target);
    const double error =
        ErrorOf(tile.Golden<T>()[i], tile.Target<T>()[i], golden, target);
    if (error == 0 || !std::isfinite(error)) continue;
    const uint64_t at = tile.base + i;
    detail_.spread.profile[static_cast<size_t>(
        static_cast<double>(at) / static_cast<double>(wants_.count) *
        Spread::kParts)] += error;
    const double relative = error / std::fabs(g.AsDouble());
    const bool keep =
        std::isfinite(relative) && (detail_.relative.size() < wants_.worst ||
                                    relative > detail_.relative.back().error);
    if (keep) Keep({at, g, t, relative}, detail_.relative);
  }
}

template <typename T>
void Examiner::AddTile(const TilePair& tile, NumberKind golden,
                       NumberKind target) {
  if (wants_.worst > 0) AddWorst<T>(tile, golden, target);
  if (wants_.spread) AddSpread<T>(tile, golden, target);
  if (wants_.places) AddPlaces<T>(tile, golden, target);
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
  detail_.spread.values.low = wants_.low;
  detail_.spread.values.high = wants_.high;
  detail_.same_values = wants_.same_values && sum_golden_ == sum_target_;
  return std::move(detail_);
}

}  // namespace assay
