#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/shape.h"

namespace assay {

// What the integers of a quantised tensor mean: (stored - zero) * step.
struct QuantGrid {
  struct Scale {
    double step = 1;
    double zero = 0;
  };
  std::vector<Scale> scales;  // one, or one for each index of `axis`
  int32_t axis = 0;           // negative: counted from the last dimension

  bool PerAxis() const { return scales.size() > 1; }
  double LargestStep() const;
  // The dimension that has a scale for each index; nothing if the shape has
  // none of that extent there.
  std::optional<size_t> AxisOf(const Shape& shape) const;
};

}  // namespace assay
