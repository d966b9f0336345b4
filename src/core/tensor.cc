#include "core/tensor.h"

namespace assay {

std::vector<int64_t> ColumnMajorStrides(const Shape& shape) {
  std::vector<int64_t> strides;
  int64_t stride = 1;
  for (const int64_t dim : shape) {
    strides.push_back(stride);
    stride *= dim;
  }
  return strides;
}

}  // namespace assay
