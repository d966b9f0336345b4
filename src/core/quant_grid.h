#pragma once

namespace assay {

// What the integers of a quantised tensor mean: (stored - zero) * step.
struct QuantGrid {
  double step = 1;
  double zero = 0;
};

}  // namespace assay
