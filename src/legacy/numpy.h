#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace assay {

// What NumPy 1.x does, to the bit and to the letter: the old tools' tables are
// defined by it.

// The routines below in wide vectors where the CPU has them. No result changes:
// every element goes through the same operations in the same order.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(ASSAY_SANITIZED)
#define ASSAY_WIDE \
  __attribute__((target_clones("arch=x86-64-v4", "avx2", "default"), flatten))
#else
#define ASSAY_WIDE
#endif

// NumPy sums an array in chunks of this many elements, one after the other.
inline constexpr size_t kNumpyChunk = 8192;
inline constexpr double kEps64 = 0x1p-52;
inline constexpr float kEps32 = 0x1p-23F;

// At most 128 terms: eight lanes, then the rest.
template <typename T, typename Term>
inline T LaneSum(const Term& term, size_t begin, size_t n) {
  if (n < 8) {
    T sum = 0;
    for (size_t i = 0; i < n; ++i) sum += term(begin + i);
    return sum;
  }
  std::array<T, 8> r;
  for (size_t j = 0; j < 8; ++j) r[j] = term(begin + j);
  size_t i = 8;
  for (; i + 8 <= n; i += 8) {
    for (size_t j = 0; j < 8; ++j) r[j] += term(begin + i + j);
  }
  T sum = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
  for (; i < n; ++i) sum += term(begin + i);
  return sum;
}

template <typename T, typename Term>
T HalvedSum(const Term& term, size_t begin, size_t n) {
  if (n <= 128) return LaneSum<T>(term, begin, n);
  const size_t half = n / 2 - n / 2 % 8;
  return HalvedSum<T>(term, begin, half) +
         HalvedSum<T>(term, begin + half, n - half);
}

// The sum of term(0) .. term(n - 1), one chunk of them.
template <typename T, typename Term>
inline T ChunkSum(const Term& term, size_t n) {
  if (n != kNumpyChunk) return HalvedSum<T>(term, 0, n);
  // The halving of a whole chunk, without the calls.
  std::array<T, kNumpyChunk / 128> sums;
  for (size_t i = 0; i < sums.size(); ++i) {
    sums[i] = LaneSum<T>(term, i * 128, 128);
  }
  for (size_t left = sums.size() / 2; left > 0; left /= 2) {
    for (size_t i = 0; i < left; ++i) sums[i] = sums[2 * i] + sums[2 * i + 1];
  }
  return sums[0];
}

// Keeps the larger (smaller) of two, lane by lane; `best` where x is NaN.
struct Larger {
  template <typename V>
  static void Keep(const V& x, V& best) {
    best = x > best ? x : best;
  }
};
struct Smaller {
  template <typename V>
  static void Keep(const V& x, V& best) {
    best = x < best ? x : best;
  }
};

// The largest (smallest) of `start` and the elements, leaving out those that
// are NaN.
template <typename Extreme, typename T>
inline T ChunkExtreme(const T* x, size_t n, T start) {
  using Vector [[gnu::vector_size(32)]] = T;
  constexpr size_t kLanes = 32 / sizeof(T);
  Vector even = Vector{} + start, odd = even;
  size_t i = 0;
  for (; i + 2 * kLanes <= n; i += 2 * kLanes) {
    Vector a, b;
    std::memcpy(&a, x + i, sizeof a);
    std::memcpy(&b, x + i + kLanes, sizeof b);
    Extreme::Keep(a, even);
    Extreme::Keep(b, odd);
  }
  Extreme::Keep(odd, even);
  for (size_t j = 0; j < kLanes; ++j) Extreme::Keep(T{even[j]}, start);
  for (; i < n; ++i) Extreme::Keep(x[i], start);
  return start;
}
template <typename T>
inline T ChunkMax(const T* x, size_t n, T start) {
  return ChunkExtreme<Larger>(x, n, start);
}
template <typename T>
inline T ChunkMin(const T* x, size_t n, T start) {
  return ChunkExtreme<Smaller>(x, n, start);
}

// The terms of one chunk, written down before they are used: a loop that only
// computes them becomes vector code even if it has conditions.
template <typename T>
class Terms {
 public:
  template <typename Term>
  Terms(size_t n, const Term& term) : n_(n) {
    for (size_t i = 0; i < n; ++i) values_[i] = term(i);
  }

  size_t size() const { return n_; }
  T operator[](size_t i) const { return values_[i]; }

  T Sum() const {
    return ChunkSum<T>([&](size_t i) { return values_[i]; }, n_);
  }
  T SumOfSquares() const {
    return ChunkSum<T>([&](size_t i) { return values_[i] * values_[i]; }, n_);
  }
  T Max(T start) const { return ChunkMax(values_.data(), n_, start); }

 private:
  size_t n_;
  std::array<T, kNumpyChunk> values_;
};

// The natural logarithm, rounded from double: by the series of atanh around a
// power of two. No branch, so that loops of it become vector code.
inline float WideLog(float x) {
  const auto bits = std::bit_cast<int32_t>(x);
  const int32_t exponent = (bits - 0x3f3504f3) >> 23;  // of x / sqrt(1/2)
  const double f = std::bit_cast<float>(bits - (exponent << 23)) - 1.0;
  const double s = f / (2 + f), z = s * s;
  const double series =
      1 + z * (1.0 / 3 +
               z * (1.0 / 5 + z * (1.0 / 7 + z * (1.0 / 9 + z * (1.0 / 11)))));
  const double log = 2 * s * series + exponent * 0.6931471805599453;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float edge = x == 0 ? -kInf : x > 0 ? x : kInf - kInf;
  return x > 0 && x < kInf ? static_cast<float>(log) : edge;
}

// e to the x for x <= 0, rounded from double, likewise.
inline float WideExp(float x) {
  const double n = std::floor(x * 1.4426950408889634 + 0.5);
  const double r = x - n * 0.6931471805599453;
  const double series =
      1 + r * (1 + r * (1.0 / 2 +
                        r * (1.0 / 6 +
                             r * (1.0 / 24 +
                                  r * (1.0 / 120 +
                                       r * (1.0 / 720 + r * (1.0 / 5040)))))));
  const bool tiny = x < -104;  // below half the smallest float
  const auto shift = static_cast<int32_t>(tiny ? 0 : n) + 1023;
  const double power = std::bit_cast<double>(int64_t{shift} << 52);
  const float e = static_cast<float>(series * power);
  return tiny ? 0 : x <= 0 ? e : x - x;
}

// numpy.mean of float32: the sum divided in double, rounded once.
inline float MeanOf(float sum, uint64_t n) {
  return static_cast<float>(static_cast<double>(sum) / static_cast<double>(n));
}

// The nearest float16: a number is added that leaves no room for more bits.
inline float ToHalf(float x) {
  const uint32_t exponent = std::bit_cast<uint32_t>(x) & 0x7f800000;
  constexpr uint32_t kLeast = 0x38800000;  // 2^-14: below, steps stay the same
  const float power =
      std::bit_cast<float>(exponent > kLeast ? exponent : kLeast);
  const float magic = power * 12288;  // 1.5 * 2^13
  const float rounded = (x + magic) - magic;
  constexpr float kInf = std::numeric_limits<float>::infinity();
  const float large = x > 0 ? kInf : -kInf;
  const float finite = rounded <= 65504 && rounded >= -65504 ? rounded : large;
  return x - x == 0 ? finite : x;
}

// Python's "%.6f": never "-nan".
std::string FixedText(double value, int digits);
// repr() of a Python float: "0.1", "1.0", "1e-05", "nan".
std::string ReprText(double value);
// round(value, digits) of Python: by its decimal text.
double RoundedTo(double value, int digits);
// str() of a numpy.float32 and numpy.float16: the fewest digits that give the
// same value of that type.
std::string Float32Text(float value);
std::string Float16Text(float value);
// str() of a Python bool.
inline const char* BoolText(bool value) { return value ? "True" : "False"; }

}  // namespace assay
