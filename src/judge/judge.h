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

namespace assay {

// --fail-on 'METRIC<NUMBER': the row fails when it is true.
struct FailOn {
  const Metric* metric = nullptr;
  enum Op : uint8_t { kLess, kLessEqual, kGreater, kGreaterEqual } op = kLess;
  double limit = 0;
  std::string text;

  static Result<FailOn> Parse(const std::string& text);
  bool Holds(double value) const;
};

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
};

struct Judgement {
  Verdict verdict = Verdict::kUnsure;
  std::string why;
  std::optional<Floor> floor;
};

// The verdict of the best level that the evidence allows.
Judgement Judge(const Evidence& evidence, const JudgeOptions& options);

}  // namespace assay
