#pragma once

#include <cstddef>
#include <cstdint>

#include "core/shape.h"

namespace assay {

// Visits a column-major (Fortran order) array in row-major order.
class ColumnMajorWalk {
 public:
  // Starts at row-major element `first`.
  ColumnMajorWalk(const Shape& shape, uint64_t first);

  // Copies the next `n` elements of `width` bytes from `stored` to `out`.
  void Gather(const std::byte* stored, size_t width, size_t n, std::byte* out);

 private:
  void Advance();

  Shape shape_, at_;
  std::vector<uint64_t> stride_;  // in elements, per dimension
  uint64_t offset_ = 0;           // of the element at `at_`
};

}  // namespace assay
