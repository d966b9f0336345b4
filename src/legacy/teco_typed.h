#pragma once

#include <cmath>
#include <cstdint>

#include "legacy/arithmetic_type.h"
#include "legacy/chunks.h"
#include "legacy/teco_metrics.h"

namespace assay {

inline constexpr double kTecoEps = 1e-9;

// Relative where |B| is above the threshold, absolute elsewhere. Both halves
// are computed, as there: infinity times 0 is NaN.
template <typename T>
inline T TecoDiff3(T s, T b, bool above) {
  const T m = above ? 1 : 0, rest = 1 - m;
  return std::fabs(s * m - b * m) /
             (std::fabs(b * m) + static_cast<T>(kTecoEps)) +
         std::fabs(s * rest - b * rest);
}

// What NumPy computes in: S with B, and B alone.
struct TecoTypes {
  ArithmeticType both, golden;
};

// The numbers of arrays that NumPy does not turn into float32 or float64:
// integers wrap around, float16 rounds and overflows, bool cannot be
// subtracted.
Status AskTecoIntegers(const PairChunks& pair, const TecoTypes& types,
                       double threshold, TecoNumbers& out);
Status AskTecoHalves(const PairChunks& pair, const TecoTypes& types,
                     TecoNumbers& out);

}  // namespace assay
