#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "legacy/chunks.h"

namespace assay {

// What msaccucmp's ten formulas need, summed as NumPy does.
struct MsaccucmpSums {
  // Of one side; float32 except where float64 is said.
  struct Side {
    float max = -std::numeric_limits<float>::infinity();
    float min = std::numeric_limits<float>::infinity();
    double sum = 0, wide_squares = 0;  // float64
    double centred = 0;                // of (x - mean)^2, float64
    float squares = 0;
    float scaled = 0;  // of x after the scaling of the divergence

    double mean(uint64_t count) const {
      return sum / static_cast<double>(count);
    }
    float norm() const { return std::sqrt(squares); }
  };

  uint64_t n = 0;
  Side my, golden;
  float difference = 0, squares = 0, relative = 0;  // of |d|, d^2, e
  float max_difference = 0, max_relative = 0;
  float cosine = 0, divergence = 0;
};

// What an earlier pass found of both sides: the extremes, and in float64 the
// sums and the squares around the mean.
struct MsaccucmpKnown {
  MsaccucmpSums::Side my, golden;
};
// Nothing where not all values are finite, or are others as float32.
std::optional<MsaccucmpKnown> KnownOf(const PairStats* stats,
                                      const MeasureJob& job);

// As many passes over the first n elements as the formulas need, because an
// extreme or a norm is known only after one: 2 for the cosine and the
// deviation, 3 for the divergence. Where sides are known one is enough for most
// pairs.
Result<MsaccucmpSums> SumMsaccucmp(const PairChunks& pair, uint64_t n,
                                   int passes,
                                   const std::optional<MsaccucmpKnown>& known,
                                   int threads);

}  // namespace assay
