#pragma once

#include "core/tensor.h"
#include "kernel/hdf5_guard.h"

namespace assay {

// Sets type and byte order; kOpaque for what is no plain number. Under a guard.
void SetHdf5Type(hid_t type, StoredTensor& tensor);

}  // namespace assay
