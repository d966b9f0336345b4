#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/tensor.h"

namespace assay {

// A tensor in memory.
struct TensorBytes {
  DType dtype = DType::kF32;
  Shape shape;
  std::string bytes;  // row-major, little-endian
};

// All values of a stored tensor, row-major and little-endian.
Result<std::string> ReadValues(const std::string& path,
                               const StoredTensor& stored);

// The one tensor of a file of any format.
Result<TensorBytes> ReadTensorFile(const std::string& path);

// Writes `folder`/`file`, which ends with .npy; as .safetensors if NumPy lacks
// the type. The name it got, below the folder.
Result<std::string> WriteTensorFile(const std::string& folder,
                                    const std::string& file, DType dtype,
                                    const Shape& shape, std::string_view bytes);

}  // namespace assay
