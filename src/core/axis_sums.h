#pragma once

#include <cstddef>
#include <vector>

namespace assay {

// Sums over all elements that have one index in one dimension.
struct SliceSums {
  double gg = 0;     // golden^2
  double gd = 0;     // golden * difference
  double dd = 0;     // difference^2
  double size = 0;   // |golden|
  double along = 0;  // difference, away from zero positive
  double peak = 0;   // the largest golden^2
};

// Of one dimension of a pair.
struct AxisSums {
  size_t axis = 0;
  std::vector<SliceSums> slices;
};

}  // namespace assay
