#pragma once

#include <atomic>
#include <span>
#include <string>
#include <vector>

#include "core/dump.h"
#include "pipeline/measure.h"
#include "pipeline/plan.h"

namespace assay {

// The rows that were measured, and how; both lists are parallel.
struct Measurements {
  std::span<Planned* const> owners;
  std::span<const Measured> measured;
  const MeasureOptions& options;
  const std::atomic<bool>& stop;
};

// The cause of every bad row: made by its operator, or inherited. Returns the
// operators that make errors, the best proven first.
std::vector<std::string> Attribute(const Dump& golden, const Dump& target,
                                   const Measurements& measurements,
                                   std::vector<Planned>& planned);

}  // namespace assay
