#pragma once

#include <atomic>
#include <vector>

#include "pipeline/compare.h"
#include "pipeline/plan.h"

namespace assay {

// Bad rows get their worst elements, and a second chance to be understood.
void ExamineBadRows(const std::vector<Planned*>& owners,
                    const std::vector<Measured>& measured,
                    const CompareOptions& options,
                    const std::atomic<bool>& stop);

}  // namespace assay
