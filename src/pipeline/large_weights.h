#pragma once

#include <span>

#include "core/dump.h"
#include "pipeline/measure.h"
#include "pipeline/plan.h"

namespace assay {

// An operator that makes an error may do so because a weight of its does not
// fit into the type that the target computes in. Where a side has an ONNX
// model, the first such weight is left in the row. `owners` and `measured` are
// parallel.
void NoteLargeWeights(const Dump& golden, const Dump& target,
                      std::span<Planned* const> owners,
                      std::span<const Measured> measured);

}  // namespace assay
