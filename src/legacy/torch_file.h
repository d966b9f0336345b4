#pragma once

#include <string>

#include "base/result.h"
#include "legacy/old_array.h"

namespace assay {

// Whether torch has a type for such values.
bool TorchHolds(DType type);

// What torch.save writes for one tensor: a zip of a pickle and the values.
Status WriteTorchFile(const OldArray& array, const std::string& path);

}  // namespace assay
