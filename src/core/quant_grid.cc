#include "core/quant_grid.h"

#include <algorithm>
#include <cmath>

namespace assay {

double QuantGrid::LargestStep() const {
  double largest = 0;
  for (const Scale& scale : scales) {
    largest = std::max(largest, std::fabs(scale.step));
  }
  return largest;
}

std::optional<size_t> QuantGrid::AxisOf(const Shape& shape) const {
  const auto rank = static_cast<int64_t>(shape.size());
  const int64_t at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank) return std::nullopt;
  const auto dimension = static_cast<size_t>(at);
  const bool fits = shape[dimension] == static_cast<int64_t>(scales.size());
  return fits ? std::optional(dimension) : std::nullopt;
}

}  // namespace assay
