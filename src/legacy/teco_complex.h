#pragma once

#include "legacy/teco_metrics.h"

namespace assay {

// Whether both sides are complex numbers of one type that stand in order.
bool AreComplexPairs(const MeasureJob& job);

// The numbers of such a pair: sums of squares are complex, distances are not.
Status AskTecoComplex(const MeasureJob& job, double threshold,
                      TecoNumbers& out);

}  // namespace assay
