#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "core/dump.h"
#include "pipeline/measure.h"
#include "pipeline/plan.h"

namespace assay {

// Tests a few guesses about the worst rows that no input explains: their
// values transposed, those of another output, those of another step. What
// holds is left in the row. `owners` and `measured` are parallel.
void LookAgain(std::span<Planned* const> owners,
               std::span<const Measured> measured,
               const MeasureOptions& options, const std::atomic<bool>& stop);

}  // namespace assay
