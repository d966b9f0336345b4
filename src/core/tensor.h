#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/dtype.h"
#include "core/layout.h"
#include "core/shape.h"
#include "core/tensor_summary.h"

namespace assay {

// How the bytes of a tensor stand in its file.
enum class Encoding : uint8_t {
  kRaw,      // element after element
  kDeflate,  // one raw deflate stream
  kVarint,   // protobuf's packed variable-length integers
  kBase64,   // text
  kHdf5,     // chunks of an HDF5 dataset; the offset is that of its header
};

// Where the bytes are: part of one file.
struct Extent {
  uint64_t offset = 0;
  uint64_t length = 0;  // as stored, before decoding
  Encoding encoding = Encoding::kRaw;
  uint32_t crc = 0;   // of all decoded bytes (kDeflate)
  uint64_t skip = 0;  // decoded bytes before the first value (not kRaw)
};

// One tensor as a codec finds it. Nothing here holds data or an open file.
struct StoredTensor {
  std::string name;  // inside the file; empty where a file is one tensor
  DType dtype = DType::kF32;
  Shape shape;  // as stored; device layouts pad
  Layout layout = Layout::kND;
  bool big_endian = false;
  int32_t groups = 1;             // of a convolution's weights in FRACTAL_Z
  std::optional<Shape> original;  // before it was put in a device layout
  // Elements between neighbours, per dimension; empty for row-major.
  std::vector<int64_t> strides;
  Extent extent;
  // Set: the file holds what follows about the values, not the values.
  std::shared_ptr<const TensorSummary> summary;
  // Set: its file is good but it cannot be read; it is kOpaque then.
  ErrorRef error;
};

// There are values, and they are numbers.
inline bool HasNumbers(const StoredTensor& tensor) {
  return tensor.dtype != DType::kOpaque && !tensor.summary;
}

// Elements between neighbours of a column-major (Fortran order) array.
std::vector<int64_t> ColumnMajorStrides(const Shape& shape);

}  // namespace assay
