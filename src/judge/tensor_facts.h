#pragma once

#include <cstdint>
#include <optional>

#include "core/dtype.h"
#include "core/pair_stats.h"
#include "judge/odd_slice.h"

namespace assay {

// What one row tells about the error of its tensor, whatever metrics were
// asked for.
struct TensorFacts {
  bool measured = false;
  bool equal = false;      // every element
  bool one_sided = false;  // NaN/Inf that the other side lacks
  bool whole = false;      // integers or booleans on both sides
  double rel_l2 = 0;
  double max_part = 0;   // max_abs as a part of what elements are like
  double element = 1;    // that: the size of a large element
  double scale = 0;      // |norm ratio - 1|
  double rms = 0;        // of golden
  double roundoff = 0;   // of the coarsest type in sight
  uint64_t content = 0;  // the same for the same pair of tensors
  // An index off by a factor of its own that its ingredients do not show.
  std::optional<OddSlice> odd;
};
TensorFacts FactsOf(const PairStats& stats, DType golden, DType target);

}  // namespace assay
