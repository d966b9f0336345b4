#pragma once

#include <string>
#include <string_view>

#include "codecs/codec.h"
#include "core/tensor.h"

namespace assay {

// Sets type and byte order from a dict's descr; false if NumPy has no such
// type. What is known but cannot be compared becomes kOpaque.
bool SetNpyType(std::string_view descr, const CodecHints& hints,
                StoredTensor& tensor);

// How NumPy writes a little-endian type: "<f4"; empty if it lacks the type.
std::string NpyDescr(DType dtype);

}  // namespace assay
