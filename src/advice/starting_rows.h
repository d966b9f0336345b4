#pragma once

#include <vector>

#include "core/comparison.h"

namespace assay {

// Where errors start: the first row of every origin; where causes are not
// known, the first bad row in the order of execution.
std::vector<const Row*> StartingRows(const Comparison& c);

}  // namespace assay
