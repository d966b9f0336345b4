#pragma once

#include <memory>
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
  bool golden_is_target = false;    // both are tensors of the target
  std::optional<MeasureJob> job;
  // The two views where they cannot be measured, because their sizes or kinds
  // differ; what old tools say of such pairs needs them.
  std::shared_ptr<const MeasureJob> unlike;
  // Set where a side has statistics instead of values. The job, if any, is the
  // other side against itself.
  std::shared_ptr<const TensorSummary> golden_summary, target_summary;
  double step = 0;  // between numbers that a quantised side can hold
  DType golden_type = DType::kF32, target_type = DType::kF32;

  bool BySummary() const { return golden_summary || target_summary; }
};

// Rows in report order: rank, step, graph, order, name, port, index.
std::vector<Planned> PlanRows(const Dump& golden, const Dump& target,
                              const Pairing& pairing, int threads);

// What is done about two tensors of which a pairing knows nothing; the row has
// no labels.
Planned PlanTwo(const Dump& golden, const TensorInfo& g, const Dump& target,
                const TensorInfo& t);

}  // namespace assay
