#pragma once

#include <string_view>

#include "core/dtype.h"

namespace assay {

// What Python's tools call a type: "float32", "bfloat16"; our own name for what
// they do not have.
std::string_view NumpyName(DType type);

}  // namespace assay
