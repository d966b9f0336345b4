#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "pipeline/compare.h"
#include "pipeline/measure.h"
#include "pipeline/plan.h"

namespace assay {

// Measures with a progress bar that says what is done.
std::vector<Measured> MeasureAll(const std::vector<MeasureJob>& jobs,
                                 const CompareOptions& options,
                                 const std::string& what,
                                 const std::atomic<bool>& stop);

// Measures the rows that have jobs; `owners` are these rows.
std::vector<Measured> MeasureRows(std::vector<Planned>& planned,
                                  const CompareOptions& options,
                                  const std::atomic<bool>& stop,
                                  std::vector<Planned*>& owners);

// Calls options.row_pass for all rows. `owners` are those that were measured.
void PassOverRows(const CompareOptions& options,
                  const std::vector<Planned*>& owners,
                  const std::vector<Measured>& measured,
                  const std::atomic<bool>& stop, std::vector<Planned>& planned);

}  // namespace assay
