#pragma once

#include <vector>

#include "pipeline/compare.h"
#include "pipeline/noise.h"
#include "pipeline/plan.h"

namespace assay {

// Gives each row that was measured its metrics and its verdict.
void JudgeRows(const std::vector<Planned*>& owners,
               const std::vector<Measured>& measured, const Noise& noise,
               const CompareOptions& options);

}  // namespace assay
