#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace assay {

// Counts by order of magnitude: bin k holds 10^(k+kFirst) <= |x| < 10 times
// that; the ends take what lies beyond.
struct LogHistogram {
  static constexpr int kFirst = -20, kLast = 20;
  uint64_t zero = 0, not_finite = 0;
  std::array<uint64_t, kLast - kFirst + 1> bins{};

  void Add(double x);
};

// Finite values of both sides, counted in equal steps from low to high.
struct ValueBins {
  static constexpr size_t kBins = 64;
  double low = 0, high = 0;
  std::array<uint64_t, kBins> golden{}, target{};
};

// How the values of a pair and their differences are spread.
struct Spread {
  static constexpr size_t kParts = 128;
  LogHistogram errors;  // of |t-g|
  double max_ulp = 0;   // in units in the last place of the coarser type
  ValueBins values;
  // Sum of |t-g| in each of equal parts of the tensor, front to back.
  std::array<double, kParts> profile{};
};

}  // namespace assay
