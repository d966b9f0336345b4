#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "core/dump.h"
#include "core/metrics.h"
#include "core/pair_stats.h"
#include "core/pairing.h"
#include "kernel/extra_pass.h"
#include "kernel/pair_blocks.h"
#include "kernel/reduce.h"

namespace assay {

struct MeasureOptions {
  int threads = 1;
  const ReduceKernels* kernels = nullptr;
  Tolerance tolerance;
  ExtraPasses extras;  // which declared extra passes to run
};

// Two views to measure: same number of reals, both decodable.
struct MeasureJob {
  StoredView golden, target;
};
uint64_t StoredBytes(const MeasureJob& job);  // of both sides

struct Measured {
  PairStats stats;
  ExtraStats extra;
  ErrorRef error;
  bool done = false;  // false: interrupted before it was finished
};

// Merges one block into the statistics with the kernel for its type.
void ReduceTile(const TilePair& tile, DType golden, DType target,
                const MeasureOptions& options, PairStats& stats);

// Measures all jobs: one flat list of (job, chunk) items, largest first. The
// result does not depend on the number of threads.
std::vector<Measured> Measure(std::span<const MeasureJob> jobs,
                              const MeasureOptions& options, Progress& progress,
                              const std::atomic<bool>& stop);

}  // namespace assay
