#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/comparison.h"
#include "core/dump.h"
#include "core/pairing.h"
#include "pipeline/measure.h"

namespace assay {

// What is to be done about one pair, decided before any value is read: a row
// with its labels, and either a job or the reason why there is none.
struct Planned {
  Row row;
  uint32_t golden = 0, target = 0;  // into Dump::tensors
  std::optional<MeasureJob> job;
};

// Rows in report order: rank, step, graph, order, name, port, index.
std::vector<Planned> PlanRows(const Dump& golden, const Dump& target,
                              const Pairing& pairing);

// The job for two tensors; none when they cannot be measured.
std::optional<MeasureJob> MakeJob(const Dump& golden, const TensorInfo& g,
                                  const Dump& target, const TensorInfo& t);

}  // namespace assay
