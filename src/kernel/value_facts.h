#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace assay {

// What one tensor's own statistics need: less than a pair's. Of finite values.
struct ValueFacts {
  double sum = 0;
  float min = std::numeric_limits<float>::infinity();
  float max = -std::numeric_limits<float>::infinity();
  uint64_t finite = 0;
  bool has_nan = false, has_inf = false;
};

// Adds a block. The sum has 8 virtual lanes, so no instruction set changes it.
void AddFacts(const float* values, size_t n, ValueFacts& facts);

}  // namespace assay
