#include "kernel/column_major.h"

#include <cstring>

namespace assay {

ColumnMajorWalk::ColumnMajorWalk(const Shape& shape, uint64_t first)
    : shape_(shape), at_(Coordinates(first, shape)) {
  uint64_t stride = 1;
  for (const int64_t dim : shape) {
    stride_.push_back(stride);
    stride *= static_cast<uint64_t>(dim);
  }
  for (size_t k = 0; k < shape.size(); ++k) {
    offset_ += static_cast<uint64_t>(at_[k]) * stride_[k];
  }
}

void ColumnMajorWalk::Gather(const std::byte* stored, size_t width, size_t n,
                             std::byte* out) {
  for (size_t i = 0; i < n; ++i) {
    std::memcpy(out + i * width, stored + offset_ * width, width);
    Advance();
  }
}

void ColumnMajorWalk::Advance() {
  for (size_t k = shape_.size(); k-- > 0;) {
    offset_ += stride_[k];
    if (++at_[k] < shape_[k]) return;
    offset_ -= stride_[k] * static_cast<uint64_t>(shape_[k]);
    at_[k] = 0;
  }
}

}  // namespace assay
