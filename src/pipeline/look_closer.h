#pragma once

#include <atomic>

#include "base/result.h"
#include "kernel/examine.h"
#include "pipeline/measure.h"

namespace assay {

// Reads one pair again, front to back, for what the sums cannot say.
Result<Detail> LookCloser(const MeasureJob& job, const ExamineWants& wants,
                          const WorkBuffers& buffers,
                          const std::atomic<bool>& stop);

// The coordinates of real number `flat` of a tensor.
Shape ElementIndex(uint64_t flat, const StoredView& view);

}  // namespace assay
