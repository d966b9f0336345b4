#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace assay {

// numpy.argpartition(values, kth): which of equal values come first is part of
// the old tools' tables. No value is NaN.
std::vector<uint64_t> Argpartition(std::span<const double> values,
                                   uint64_t kth);

// sorted(items, reverse=True) of Python, for (value, index) pairs among which
// NaN may be: as NaN compares with nothing, the order depends on the way of
// sorting.
struct RankedError {
  double value = 0;
  uint64_t index = 0;
};
void PythonSortDescending(std::vector<RankedError>& items);

}  // namespace assay
