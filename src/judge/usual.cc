#include "judge/usual.h"

#include <algorithm>
#include <cmath>

namespace assay {

double Median(std::vector<double> values) {
  const auto middle =
      values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Usual UsualOf(const std::vector<double>& values) {
  constexpr double kNormal = 1.4826;  // spread of normal numbers / median |x|
  Usual usual{.middle = Median(values)};
  std::vector<double> off;
  for (const double x : values) off.push_back(std::fabs(x - usual.middle));
  usual.spread = kNormal * Median(std::move(off));
  return usual;
}

}  // namespace assay
