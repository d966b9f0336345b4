#pragma once

#include "legacy/lanes.h"
#include "legacy/msaccucmp_sums.h"

namespace assay {

// What the formulas of msaccucmp add for one chunk of a pair; each pass needs
// the sums of those before it.
using MsaccucmpChunk = ChunkPair<float>;

// Of the squares of both sides, |d|, d^2 and e, and the largest |d| and e.
struct DifferencePart {
  LaneTerms<float, 5, 0> sums;
  float difference, relative;
};
DifferencePart DifferencesOf(const MsaccucmpChunk& chunk);

// The same and, of both sides, the extremes and the sums in float64.
struct FirstPart {
  DifferencePart differences;
  std::array<double, 4> wide;
  float my_max, my_min, golden_max, golden_min;
};
FirstPart FirstOf(const MsaccucmpChunk& chunk);

// Of the terms of the cosine and of both sides scaled; of squares around the
// mean.
using SecondPart = LaneTerms<float, 3, 2>;
SecondPart SecondOf(const MsaccucmpChunk& chunk, const MsaccucmpSums& sums);

// Of the terms of the divergence.
using ThirdPart = LaneTerms<float, 1, 0>;
ThirdPart ThirdOf(const MsaccucmpChunk& chunk, const MsaccucmpSums& sums);

// Both in one, for ordinary numbers. Nothing is divided by norms, ranges and
// sums that all terms share: the first two are factors of a sum, and with a and
// b for what p and q are before they are divided by their sums A and B, the
// divergence is (sum of a log(a / b)) / A + log(B / A). Here are the sums of
// the products, of a, of b and of a log(a / b).
using QuickPart = LaneTerms<float, 4, 0>;
QuickPart QuickOf(const MsaccucmpChunk& chunk, const MsaccucmpSums& sums);

}  // namespace assay
