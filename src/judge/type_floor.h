#pragma once

#include "core/dtype.h"
#include "core/pair_stats.h"

namespace assay {

// What rounding to the coarser of two types can do.
struct Rounding {
  DType type = DType::kF32;       // the type that explains it
  double roundoff = 0;            // unit roundoff; 0 for integers
  double tiny = 0;                // below this a value may become zero
  DType tiny_type = DType::kF32;  // the type that has it
  bool seen_in_bits = false;
};

// The coarsest of: golden's type, target's type, the type that the bits in use
// betray (dumps are often widened to float32).
Rounding CoarsestRounding(DType golden, DType target, const PairStats& stats);

}  // namespace assay
