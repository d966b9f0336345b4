#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/dump.h"
#include "pipeline/measure.h"
#include "pipeline/plan.h"

namespace assay {

// The cause of every bad row: made by its operator, or inherited. `owners` and
// `measured` are parallel: the rows that were measured. Returns the operators
// that make errors, the best proven first.
std::vector<std::string> Attribute(const Dump& golden, const Dump& target,
                                   std::span<Planned* const> owners,
                                   std::span<const Measured> measured,
                                   std::vector<Planned>& planned);

}  // namespace assay
