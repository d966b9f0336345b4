#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/dtype.h"
#include "core/shape.h"

namespace assay {

// A tensor as the pickle of a torch archive describes it: a view of a storage.
struct TorchTensor {
  std::string name;          // "model.weight", "0"; empty for a bare tensor
  std::string_view storage;  // which one, in the bytes of the pickle
  DType dtype = DType::kF32;
  uint64_t storage_bytes = 0;  // as the pickle says
  uint64_t offset = 0;         // of the first element, in elements
  Shape shape;
  std::vector<int64_t> strides;  // as many as dimensions
};

// All tensors in dicts, lists and tuples, in their order; other values are
// passed over. Errors give the byte of the pickle, or the tensor, and no file.
Result<std::vector<TorchTensor>> ReadTorchPickle(std::string_view bytes,
                                                 uint64_t max_memory);

}  // namespace assay
