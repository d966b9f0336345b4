#pragma once

#include <cstdint>
#include <span>

#include "codecs/pickle.h"
#include "core/dtype.h"

namespace assay {

// What the names in a file of torch.save stand for.
enum class TorchRole : uint8_t {
  kRefused,
  kTensor,     // _rebuild_tensor_v2: the storage has the type
  kTyped,      // _rebuild_tensor_v3: an argument has it
  kParameter,  // wraps a tensor
  kDict,
  kSet,
  kSize,  // a tuple of numbers
  kStorage,
  kDType,
  kOther,  // harmless, and no tensor
};

struct TorchName {
  TorchRole role = TorchRole::kRefused;
  DType dtype = DType::kOpaque;  // kStorage, kDType
};

// The names that such a pickle may mention.
std::span<const PickleGlobal> TorchGlobals();
// By place in that list; -1 is nothing known.
TorchName TorchNameOf(int64_t global);

}  // namespace assay
