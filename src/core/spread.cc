#include "core/spread.h"

#include <algorithm>
#include <cmath>

namespace assay {

void LogHistogram::Add(double x) {
  if (x == 0) {
    ++zero;
  } else if (!std::isfinite(x)) {
    ++not_finite;
  } else {
    const int decade = static_cast<int>(std::floor(std::log10(std::fabs(x))));
    ++bins[static_cast<size_t>(std::clamp(decade, kFirst, kLast) - kFirst)];
  }
}

}  // namespace assay
