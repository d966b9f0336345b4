#pragma once

#include <cmath>

#include "legacy/metric_group.h"

namespace assay {

// When two elements are too far apart for `cp`.
struct CpLimits {
  double absolute = 0.001, relative = 0.001;

  bool Exceeds(float difference, float golden) const {
    return difference > absolute + relative * double{std::fabs(golden)};
  }
};

// NumCnt, AllClose, CosSim and ErrorPer. The shorter side is followed by zeros.
Result<Cells> CpCells(const MeasureJob& job, const CpLimits& limits);

}  // namespace assay
