#pragma once

#include <atomic>
#include <memory>
#include <span>

#include "core/comparison.h"
#include "kernel/work_buffers.h"
#include "pipeline/measure.h"
#include "pipeline/plan.h"

namespace assay {

inline constexpr size_t kLensElements = 20;

// Reads one pair again for everything the lens shows. `stats` are those of the
// first pass.
Result<RowDetail> DetailOf(const MeasureJob& job, const PairStats& stats,
                           const WorkBuffers& buffers,
                           const std::atomic<bool>& stop);

// Puts the worst rows under the lens: at most `most`, and no more elements than
// are read in a few seconds. `owners` and `measured` are parallel.
void KeepDetails(std::span<Planned* const> owners,
                 std::span<const Measured> measured, size_t most, int threads,
                 const std::atomic<bool>& stop);

}  // namespace assay
