#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace assay {

// What NumPy 1.x does, to the bit and to the letter: the old tools' tables are
// defined by it.

// The routines below in wide vectors where the CPU has them. No result changes:
// every element goes through the same operations in the same order.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define ASSAY_WIDE __attribute__((target_clones("avx2", "default"), flatten))
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

// The largest of `start` and the terms, leaving out those that are NaN.
template <typename T, typename Term>
inline T ChunkMax(const Term& term, size_t n, T start) {
  constexpr size_t kLanes = 16;
  std::array<T, kLanes> r;
  r.fill(start);
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    for (size_t j = 0; j < kLanes; ++j) {
      const T x = term(i + j);
      r[j] = x > r[j] ? x : r[j];
    }
  }
  for (; i < n; ++i) r[0] = term(i) > r[0] ? term(i) : r[0];
  for (const T x : r) r[0] = x > r[0] ? x : r[0];
  return r[0];
}

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

// numpy.mean of float32: the sum divided in double, rounded once.
inline float MeanOf(float sum, uint64_t n) {
  return static_cast<float>(static_cast<double>(sum) / static_cast<double>(n));
}

// The nearest float16.
float ToHalf(float x);

// Python's "%.6f": never "-nan".
std::string FixedText(double value, int digits);
// repr() of a Python float: "0.1", "1.0", "1e-05", "nan".
std::string ReprText(double value);
// str() of a numpy.float32 and numpy.float16: the fewest digits that give the
// same value of that type.
std::string Float32Text(float value);
std::string Float16Text(float value);
// str() of a Python bool.
inline const char* BoolText(bool value) { return value ? "True" : "False"; }

}  // namespace assay
