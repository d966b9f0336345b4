#pragma once

#include "core/comparison.h"
#include "judge/judge.h"

namespace assay {

// Applies --fail-on, --atol and --rtol to a row that was judged by statistics:
// what these can tell decides; what only values could tell leaves no pass.
void LimitSummaryRow(const JudgeOptions& options, Row& row);

}  // namespace assay
