#pragma once

#include "legacy/lanes.h"
#include "legacy/msaccucmp_sums.h"

namespace assay {

// What the formulas of msaccucmp add for one chunk of a pair; each pass needs
// the sums of those before it.
using MsaccucmpChunk = ChunkPair<float>;

// What the first pass finds in one chunk.
struct FirstPart {
  LaneTerms<float, 5, 4> sums;
  float my_max, my_min, golden_max, golden_min, difference, relative;
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
