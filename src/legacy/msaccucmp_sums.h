#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "legacy/chunks.h"

namespace assay {

// What msaccucmp's ten formulas need, summed as NumPy does.
struct MsaccucmpSums {
  struct Limits {
    float max = -std::numeric_limits<float>::infinity();
    float min = std::numeric_limits<float>::infinity();

    bool operator==(const Limits&) const = default;
  };
  // Of one side; float32 except where float64 is said.
  struct Side : Limits {
    float squares = 0;
    double sum = 0, wide_squares = 0;  // float64
    double centred = 0;                // of (x - mean)^2, float64
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

struct MsaccucmpLimits {
  MsaccucmpSums::Limits my, golden;
};
// Those that were found before, in double; none where that cannot be.
std::optional<MsaccucmpLimits> LimitsOf(const PairStats* stats);

// As many passes over the first n elements as the formulas need, because an
// extreme or a norm is known only after one: 2 for the cosine and the
// deviation, 3 for the divergence. With the limits known one is enough for most
// pairs.
Result<MsaccucmpSums> SumMsaccucmp(const PairChunks& pair, uint64_t n,
                                   int passes,
                                   const std::optional<MsaccucmpLimits>& limits,
                                   int threads);

}  // namespace assay
