#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/axis_sums.h"

namespace assay {

// One index of one dimension whose numbers are off by a factor of their own,
// such as a channel: in the sums of the whole tensor it is lost among rounding.
struct OddSlice {
  size_t axis = 0, index = 0;
  double off = 0;   // from the usual factor of the other indices
  double part = 0;  // its error as a part of the whole tensor
};

// The oddest; nothing if the indices differ no more than rounding to `roundoff`
// and chance do.
std::optional<OddSlice> FindOddSlice(std::span<const AxisSums> axes,
                                     double roundoff);

// Whether a tensor that `odd` was made from shows it already. `same_shape`: it
// has the shape of the odd one, and its indices mean the same.
bool Shows(std::span<const AxisSums> axes, const OddSlice& odd,
           bool same_shape);

}  // namespace assay
