#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace assay {

// Several of NumPy's sums in one walk over the elements. NumPy sums in eight
// lanes; so every formula here is written once, for a vector of eight and for
// the single numbers that are left over. Long formulas are faster with two
// groups of eight at once.
using Floats [[gnu::vector_size(32)]] = float;
using Ints [[gnu::vector_size(32)]] = int32_t;
using Floats16 [[gnu::vector_size(64)]] = float;
using Ints16 [[gnu::vector_size(64)]] = int32_t;
inline constexpr size_t kSumLanes = 8;

#define ASSAY_LANES [[gnu::always_inline]] inline

// Eight doubles as two vectors: g++ converts to one of 64 bytes in twice the
// steps.
struct Doubles {
  using Half [[gnu::vector_size(32)]] = double;
  Half low = {}, high = {};
};
ASSAY_LANES Doubles operator+(const Doubles& a, const Doubles& b) {
  return {a.low + b.low, a.high + b.high};
}
ASSAY_LANES Doubles operator-(const Doubles& a, double b) {
  return {a.low - b, a.high - b};
}
ASSAY_LANES Doubles operator*(const Doubles& a, const Doubles& b) {
  return {a.low * b.low, a.high * b.high};
}
ASSAY_LANES Doubles& operator+=(Doubles& a, const Doubles& b) {
  return a = a + b;
}

template <typename F>
struct LaneTypes {
  using Wide = double;
  using Int = int32_t;
};
template <>
struct LaneTypes<Floats> {
  using Wide = Doubles;
  using Int = Ints;
};
template <>
struct LaneTypes<Floats16> {
  struct Wide {};  // no formula of two groups has any
  using Int = Ints16;
};
template <typename F>
using WideOf = typename LaneTypes<F>::Wide;

template <typename F>
ASSAY_LANES F Load(const float* from) {
  F values;
  std::memcpy(&values, from, sizeof values);
  return values;
}
// The same as double.
template <typename F>
ASSAY_LANES WideOf<F> LoadWide(const float* from) {
  if constexpr (sizeof(F) == sizeof(float)) {
    return double{*from};
  } else {
    WideOf<F> wide;
    for (size_t j = 0; j < 4; ++j) wide.low[j] = from[j];
    for (size_t j = 0; j < 4; ++j) wide.high[j] = from[4 + j];
    return wide;
  }
}
template <typename F>
ASSAY_LANES F Magnitude(const F& x) {
  using Int = typename LaneTypes<F>::Int;
  return std::bit_cast<F>(std::bit_cast<Int>(x) & 0x7fffffff);
}

// x as 2^power (1 + rest), rest around 0.
template <typename F>
struct Factors {
  F power, rest;
};
template <typename F>
ASSAY_LANES Factors<F> Factored(const F& x) {
  using Int = typename LaneTypes<F>::Int;
  const Int bits = std::bit_cast<Int>(x);
  const Int exponent = (bits - 0x3f3504f3) >> 23;  // of x / sqrt(1/2)
  const F rest = std::bit_cast<F>(bits - (exponent << 23)) - 1.0F;
  if constexpr (sizeof(F) == sizeof(float)) {
    return {static_cast<float>(exponent), rest};
  } else {
    return {__builtin_convertvector(exponent, F), rest};
  }
}

template <typename F, size_t kCount>
ASSAY_LANES F Polynomial(const F& x, const float (&coefficients)[kCount]) {
  F sum = x * coefficients[0] + coefficients[1];
  for (size_t i = 2; i < kCount; ++i) sum = sum * x + coefficients[i];
  return sum;
}

// The natural logarithm to the last bit but one.
template <typename F>
ASSAY_LANES F Logarithm(const F& x) {
  const auto [power, f] = Factored<F>(x);
  const F series =
      Polynomial<F>(f, {7.0376836292e-2F, -1.1514610310e-1F, 1.1676998740e-1F,
                        -1.2420140846e-1F, 1.4249322787e-1F, -1.6668057665e-1F,
                        2.0000714765e-1F, -2.4999993993e-1F, 3.3333331174e-1F});
  const F square = f * f;
  const F tail = f * square * series - power * 2.12194440e-4F - square * 0.5F;
  const F log = f + tail + power * 0.693359375F;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const F none = F{} + kInf - kInf, all = F{} + kInf;
  const F edge = x == F{} ? -all : x > F{} ? x : none;
  return x > F{} && x < all ? log : edge;
}

// Of an ordinary positive number, as a term of a sum of thousands: within 2e-7.
template <typename F>
ASSAY_LANES F QuickLog(const F& x) {
  const auto [power, f] = Factored<F>(x);
  const F series = Polynomial<F>(
      f, {8.6717345e-2F, -1.4378968e-1F, 1.4978124e-1F, -1.6564432e-1F,
          1.9954865e-1F, -2.5001699e-1F, 3.3334166e-1F});
  return f + f * f * (f * series - 0.5F) + power * 0.69314718F;
}

// The largest (smallest) number so far; NaN never is.
template <typename Extreme>
class LaneExtreme {
 public:
  explicit LaneExtreme(float start) : lanes_(Floats{} + start), rest_(start) {}

  ASSAY_LANES void Keep(const Floats& x) { Extreme::Keep(x, lanes_); }
  ASSAY_LANES void Keep(float x) { Extreme::Keep(x, rest_); }

  float Value() const {
    float best = rest_;
    for (size_t j = 0; j < kSumLanes; ++j)
      Extreme::Keep(float{lanes_[j]}, best);
    return best;
  }

 private:
  Floats lanes_;
  float rest_;
};

// What one formula adds, for each of its sums: some in float32, some in
// float64.
template <typename F, size_t kSingle, size_t kWide>
struct LaneTerms {
  std::array<F, kSingle> single = {};
  std::array<WideOf<F>, kWide> wide = {};

  ASSAY_LANES LaneTerms& operator+=(const LaneTerms& other) {
    for (size_t k = 0; k < kSingle; ++k) single[k] += other.single[k];
    for (size_t k = 0; k < kWide; ++k) wide[k] += other.wide[k];
    return *this;
  }
};

// The first group of eight, then the second.
template <size_t kSingle>
ASSAY_LANES void AddGroups(const LaneTerms<Floats16, kSingle, 0>& terms,
                           LaneTerms<Floats, kSingle, 0>& sums) {
  for (size_t k = 0; k < kSingle; ++k) {
    const Floats16& x = terms.single[k];
    sums.single[k] += __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7);
    sums.single[k] +=
        __builtin_shufflevector(x, x, 8, 9, 10, 11, 12, 13, 14, 15);
  }
}

// The sums of neighbours in a, then in b.
ASSAY_LANES Floats Neighbours(const Floats& a, const Floats& b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15);
}
ASSAY_LANES Doubles::Half Neighbours(const Doubles::Half& a,
                                     const Doubles::Half& b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6) +
         __builtin_shufflevector(a, b, 1, 3, 5, 7);
}

// The lanes of each added up, ((0 + 1) + (2 + 3)) + ((4 + 5) + (6 + 7)), for
// several at once.
template <size_t kCount>
ASSAY_LANES std::array<float, kCount> Folded(
    const std::array<Floats, kCount>& all) {
  static_assert(kCount <= 8);
  std::array<Floats, 8> v = {};
  for (size_t k = 0; k < kCount; ++k) v[k] = all[k];
  for (const size_t left : {4, 2, 1}) {
    for (size_t k = 0; k < left; ++k) v[k] = Neighbours(v[2 * k], v[2 * k + 1]);
  }
  std::array<float, kCount> sums;
  for (size_t k = 0; k < kCount; ++k) sums[k] = v[0][k];
  return sums;
}
template <size_t kCount>
ASSAY_LANES std::array<double, kCount> Folded(
    const std::array<Doubles, kCount>& all) {
  static_assert(kCount <= 4);
  std::array<Doubles::Half, 4> v = {};
  for (size_t k = 0; k < kCount; ++k)
    v[k] = Neighbours(all[k].low, all[k].high);
  for (const size_t left : {2, 1}) {
    for (size_t k = 0; k < left; ++k) v[k] = Neighbours(v[2 * k], v[2 * k + 1]);
  }
  std::array<double, kCount> sums;
  for (size_t k = 0; k < kCount; ++k) sums[k] = v[0][k];
  return sums;
}

// The sums of term(begin) .. term(begin + n - 1), at most 128 of them.
template <typename Term>
ASSAY_LANES auto PieceSums(Term& term, size_t begin, size_t n) {
  constexpr size_t kSingle = Term::kSingle, kWide = Term::kWide;
  LaneTerms<float, kSingle, kWide> sums;
  size_t i = 0;
  if (n >= kSumLanes) {
    LaneTerms<Floats, kSingle, kWide> lanes;
    if constexpr (Term::kTwoGroups) {
      for (; i + 2 * kSumLanes <= n; i += 2 * kSumLanes) {
        AddGroups(term.template operator()<Floats16>(begin + i), lanes);
      }
    }
    for (; i + kSumLanes <= n; i += kSumLanes) {
      lanes += term.template operator()<Floats>(begin + i);
    }
    sums = {Folded(lanes.single), Folded(lanes.wide)};
  }
  for (; i < n; ++i) sums += term.template operator()<float>(begin + i);
  return sums;
}

// How NumPy halves n elements: the lengths of the pieces that are summed
// directly.
using PieceLengths = std::vector<uint8_t>;
void AddPieces(size_t n, PieceLengths& lengths);

// Adds up what the pieces gave, in the order of the halving.
template <typename Sums>
Sums Combined(size_t n, const Sums*& next) {
  if (n <= 128) return *next++;
  const size_t half = n / 2 - n / 2 % kSumLanes;
  Sums sums = Combined(half, next);
  return sums += Combined(n - half, next);
}

// All sums over one chunk. `Term` has kSingle, kWide, kTwoGroups and a template
// operator() for Floats and float (Floats16 if there are to be two groups),
// called once per element in order.
template <typename Term>
ASSAY_LANES auto LaneSumsOf(Term& term, size_t n) {
  using Sums = LaneTerms<float, Term::kSingle, Term::kWide>;
  PieceLengths lengths;
  AddPieces(n, lengths);
  std::vector<Sums> pieces;
  pieces.reserve(lengths.size());
  size_t begin = 0;
  for (const size_t length : lengths) {
    pieces.push_back(PieceSums(term, begin, length));
    begin += length;
  }
  const Sums* next = pieces.data();
  return Combined(n, next);
}

}  // namespace assay
