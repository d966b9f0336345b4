#pragma once

#include "base/input_file.h"
#include "base/result.h"
#include "codecs/ascend.h"

namespace assay {

// `length` bytes from byte 8 of the file are the header. Offsets of tensors
// are not set.
Result<AscendHeader> ReadNanoHeader(const InputFile& file, uint64_t length);

}  // namespace assay
