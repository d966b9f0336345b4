#pragma once

#include <vector>

#include "core/axis_sums.h"
#include "core/shape.h"
#include "kernel/pair_blocks.h"

namespace assay {

// Sums a pair by the indices of each dimension that has enough of them, and of
// whose indices each has enough elements.
class AxisSummer {
 public:
  AxisSummer(const Shape& shape, uint64_t least_indices,
             uint64_t least_elements);

  bool wants() const { return !axes_.empty(); }
  // Tiles one after the other; others than floats are passed over.
  void Add(const TilePair& tile);
  std::vector<AxisSums> Finish() && { return std::move(axes_); }

 private:
  template <typename T>
  void AddTile(const TilePair& tile);
  void AddToOuter(uint64_t line, const SliceSums& sums);

  size_t line_ = 1;              // elements of the last dimension
  std::vector<uint64_t> below_;  // lines per index of each dimension of axes_
  std::vector<AxisSums> axes_;
  bool last_ = false;  // axes_ has the last dimension
};

}  // namespace assay
