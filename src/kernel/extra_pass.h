#pragma once

#include <cmath>
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

// Keeps what each addition rounds away (Neumaier): a divergence is a small
// difference of large sums.
class KeptSum {
 public:
  KeptSum& operator+=(double x) {
    const double sum = high_ + x;
    low_ +=
        std::fabs(high_) < std::fabs(x) ? (x - sum) + high_ : (high_ - sum) + x;
    high_ = sum;
    return *this;
  }
  KeptSum& operator+=(const KeptSum& next) {
    low_ += next.low_;
    return *this += next.high_;
  }
  // A sum that overflowed stays infinite.
  double value() const { return std::isfinite(high_) ? high_ + low_ : high_; }

 private:
  double high_ = 0, low_ = 0;
};

// Sums of the extra passes over consecutive blocks; merged in index order.
struct ExtraSums {
  KeptSum minmax_g, minmax_t, minmax_cross;
  KeptSum softmax_g, softmax_t, softmax_cross;
  KeptSum abs_d, abs_g, diff3;
  double diff3_max = 0;
  uint64_t greater = 0, less = 0;

  void Merge(const ExtraSums& next);
};

// Adds one block. `stats` are those of the whole pair, from the first pass.
void AddExtras(const TilePair& tile, const ExtraPasses& passes,
               const PairStats& stats, ExtraSums& sums);

ExtraStats FinishExtras(const ExtraSums& sums, const ExtraPasses& passes,
                        const PairStats& stats);

}  // namespace assay
