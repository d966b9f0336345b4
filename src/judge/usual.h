#pragma once

#include <vector>

namespace assay {

// Of at least one value.
double Median(std::vector<double> values);

// Middle and spread that a few outliers do not move.
struct Usual {
  double middle = 0, spread = 0;
};
Usual UsualOf(const std::vector<double>& values);

}  // namespace assay
