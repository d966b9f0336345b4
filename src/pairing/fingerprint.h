#pragma once

#include <vector>

#include "core/dtype.h"
#include "core/shape.h"

namespace assay {

// What is known of a tensor's values without keeping them. Sums run over the
// finite ones.
struct Fingerprint {
  bool known = false;  // false: nothing to go by
  DKind kind = DKind::kFloat;
  Shape shape;  // without the padding of a device layout
  double min = 0, max = 0, mean = 0, rms = 0;
  std::vector<double> first;  // values
};

}  // namespace assay
