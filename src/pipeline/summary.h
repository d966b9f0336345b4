#pragma once

#include <atomic>
#include <vector>

#include "core/comparison.h"
#include "core/dump.h"
#include "core/pairing.h"
#include "pipeline/compare.h"
#include "pipeline/plan.h"

namespace assay {

// How reports call a source.
SourceLabel Label(const Dump& dump);

// Rows, coverage, unpaired tensors, the overall verdict and the exit code. The
// rows are moved out of `planned`; their places stay.
Comparison Summarise(const Dump& golden, const Dump& target,
                     const Pairing& pairing, std::vector<Planned>& planned,
                     const CompareOptions& options,
                     const std::atomic<bool>& stop);

}  // namespace assay
