#pragma once

#include <string_view>

#include "base/hdf5_file.h"
#include "core/tensor.h"

namespace assay {

// Sets type and byte order from a datatype message; kOpaque for what is no
// plain number.
void SetHdf5Type(const Hdf5File& file, std::string_view bytes,
                 StoredTensor& tensor);

}  // namespace assay
