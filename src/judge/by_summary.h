#pragma once

#include "core/comparison.h"
#include "core/dtype.h"
#include "core/pair_stats.h"
#include "core/tensor_summary.h"

namespace assay {

// The golden side of a measured pair as a statistics dump would tell it.
TensorSummary Describe(const PairStats& stats);

struct SummaryPair {
  const TensorSummary& golden;
  const TensorSummary& target;
  DType golden_type = DType::kF32, target_type = DType::kF32;
};

// Verdict, floor, metrics and kind of evidence of a row of which at least one
// side has no values, only statistics or a hash.
void JudgeBySummary(const SummaryPair& pair, Row& row);

}  // namespace assay
