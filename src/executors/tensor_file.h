#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/shape.h"

namespace assay {

// A tensor in memory.
struct TensorBytes {
  DType dtype = DType::kF32;
  Shape shape;
  std::vector<std::byte> bytes;  // row-major, little-endian
};

// The one tensor of a file of any format.
Result<TensorBytes> ReadTensorFile(const std::string& path);

// Writes `folder`/`file`, which ends with .npy; as .safetensors if NumPy lacks
// the type. The name it got, below the folder.
Result<std::string> WriteTensorFile(const std::string& folder,
                                    const std::string& file, DType dtype,
                                    const Shape& shape, std::string_view bytes);

}  // namespace assay
