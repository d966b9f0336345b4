#pragma once

#include <cstdint>

#include "core/metrics.h"
#include "core/pair_stats.h"
#include "kernel/pair_blocks.h"

namespace assay {

// The declared extra passes; off unless a metric that needs one was asked for.
struct ExtraPasses {
  bool kl_minmax = false, kl_softmax = false, teco = false;

  bool any() const { return kl_minmax || kl_softmax || teco; }
  // Switches on the pass that the metric needs.
  void Need(std::string_view metric);
};

// Sums of the extra passes over consecutive blocks; merged in index order.
struct ExtraSums {
  double minmax_g = 0, minmax_t = 0, minmax_cross = 0;
  double softmax_g = 0, softmax_t = 0, softmax_cross = 0;
  double abs_d = 0, abs_g = 0;
  double diff3_max = 0, diff3_sum = 0;
  uint64_t greater = 0, less = 0;

  void Merge(const ExtraSums& next);
};

// Adds one block. `stats` are those of the whole pair, from the first pass.
void AddExtras(const TilePair& tile, const ExtraPasses& passes,
               const PairStats& stats, ExtraSums& sums);

ExtraStats FinishExtras(const ExtraSums& sums, const ExtraPasses& passes,
                        const PairStats& stats);

}  // namespace assay
