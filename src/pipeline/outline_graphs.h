#pragma once

#include <span>

#include "core/comparison.h"
#include "core/dump.h"
#include "pipeline/plan.h"

namespace assay {

// Leaves in the comparison what a picture needs of the graphs of both sides.
// A side without a graph borrows the other's if that names its operators.
void OutlineGraphs(const Dump& golden, const Dump& target,
                   std::span<const Planned> planned, Comparison& c);

}  // namespace assay
