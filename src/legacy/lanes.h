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
// the single numbers that are left over.
using Floats [[gnu::vector_size(32)]] = float;
using Doubles [[gnu::vector_size(64)]] = double;
using Ints [[gnu::vector_size(32)]] = int32_t;
inline constexpr size_t kSumLanes = 8;

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
template <typename F>
using WideOf = typename LaneTypes<F>::Wide;

#define ASSAY_LANES [[gnu::always_inline]] inline

template <typename F>
ASSAY_LANES F Load(const float* from) {
  F values;
  std::memcpy(&values, from, sizeof values);
  return values;
}
ASSAY_LANES double Widened(float x) { return x; }
ASSAY_LANES Doubles Widened(const Floats& x) {
  return __builtin_convertvector(x, Doubles);
}
template <typename F>
ASSAY_LANES F Magnitude(const F& x) {
  using Int = typename LaneTypes<F>::Int;
  return std::bit_cast<F>(std::bit_cast<Int>(x) & 0x7fffffff);
}

// x / d for many x, each quotient rounded as NumPy rounds it.
class Division {
 public:
  explicit Division(float d) : d_(d) {}
  template <typename F>
  ASSAY_LANES F operator()(const F& x) const {
    return x / d_;
  }
  double factor() const { return 1; }

 private:
  float d_;
};

// The same by a product, five times faster. What the reciprocal's rounding adds
// to all quotients alike is a factor to be taken out of their sum; what is left
// is rounding that differs from NumPy's here and there.
class Reciprocal {
 public:
  explicit Reciprocal(float d)
      : inverse_(1 / d), factor_(double{d} * inverse_) {}
  template <typename F>
  ASSAY_LANES F operator()(const F& x) const {
    return x * inverse_;
  }
  double factor() const { return factor_; }

 private:
  float inverse_;
  double factor_;
};

// The natural logarithm to the last bit but one: a polynomial around the
// nearest power of two.
template <typename F>
ASSAY_LANES F Logarithm(const F& x) {
  using Int = typename LaneTypes<F>::Int;
  const Int bits = std::bit_cast<Int>(x);
  const Int exponent = (bits - 0x3f3504f3) >> 23;  // of x / sqrt(1/2)
  const F f = std::bit_cast<F>(bits - (exponent << 23)) - 1.0F;
  F series = f * 7.0376836292e-2F - 1.1514610310e-1F;
  for (const float c : {1.1676998740e-1F, -1.2420140846e-1F, 1.4249322787e-1F,
                        -1.6668057665e-1F, 2.0000714765e-1F, -2.4999993993e-1F,
                        3.3333331174e-1F}) {
    series = series * f + c;
  }
  F power;
  if constexpr (sizeof(F) == sizeof(float)) {
    power = static_cast<float>(exponent);
  } else {
    power = __builtin_convertvector(exponent, F);
  }
  const F square = f * f;
  const F tail = f * square * series - power * 2.12194440e-4F - square * 0.5F;
  const F log = f + tail + power * 0.693359375F;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const F none = F{} + kInf - kInf, all = F{} + kInf;
  const F edge = x == F{} ? -all : x > F{} ? x : none;
  return x > F{} && x < all ? log : edge;
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

template <typename V>
ASSAY_LANES auto Folded(const V& r) {
  return ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
}

// The sums of term(begin) .. term(begin + n - 1), at most 128 of them.
template <size_t kSingle, size_t kWide, typename Term>
ASSAY_LANES LaneTerms<float, kSingle, kWide> PieceSums(Term& term, size_t begin,
                                                       size_t n) {
  LaneTerms<float, kSingle, kWide> sums;
  size_t i = 0;
  if (n >= kSumLanes) {
    LaneTerms<Floats, kSingle, kWide> lanes;
    lanes = term.template operator()<Floats>(begin);
    for (i = kSumLanes; i + kSumLanes <= n; i += kSumLanes) {
      lanes += term.template operator()<Floats>(begin + i);
    }
    for (size_t k = 0; k < kSingle; ++k)
      sums.single[k] = Folded(lanes.single[k]);
    for (size_t k = 0; k < kWide; ++k) sums.wide[k] = Folded(lanes.wide[k]);
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

// All sums over one chunk. `Term` has kSingle, kWide and a template operator()
// for Floats and float, called once per element in order.
template <typename Term>
ASSAY_LANES auto LaneSumsOf(Term& term, size_t n) {
  using Sums = LaneTerms<float, Term::kSingle, Term::kWide>;
  PieceLengths lengths;
  AddPieces(n, lengths);
  std::vector<Sums> pieces;
  pieces.reserve(lengths.size());
  size_t begin = 0;
  for (const size_t length : lengths) {
    pieces.push_back(
        PieceSums<Term::kSingle, Term::kWide>(term, begin, length));
    begin += length;
  }
  const Sums* next = pieces.data();
  return Combined(n, next);
}

}  // namespace assay
