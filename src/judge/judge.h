#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/comparison.h"
#include "core/dtype.h"
#include "core/metrics.h"
#include "core/pair_stats.h"
#include "judge/constants.h"
#include "judge/fail_on.h"

namespace assay {

struct JudgeOptions {
  std::vector<FailOn> fail_on;
  bool tolerances = false;  // --atol or --rtol was given
  double noise_factor = kNoiseFactor;
};

// All a verdict may look at.
struct Evidence {
  DType golden = DType::kF32, target = DType::kF32;
  const PairStats& stats;
  const ExtraStats& extra;
  std::optional<double> noise;  // rel_l2 of a trusted run against golden
  double step = 0;  // between numbers that a quantised side can hold; 0: none
};

struct Judgement {
  Verdict verdict = Verdict::kUnsure;
  std::string why;
  std::optional<Floor> floor;
};

// The verdict of the best level that the evidence allows.
Judgement Judge(const Evidence& evidence, const JudgeOptions& options);

}  // namespace assay
