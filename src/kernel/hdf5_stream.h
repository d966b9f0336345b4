#pragma once

#include <memory>

#include "base/input_file.h"
#include "base/result.h"
#include "core/tensor.h"
#include "kernel/byte_stream.h"

namespace assay {

// The values of the dataset that `tensor` names (Encoding::kHdf5), chunked,
// inside the file's headers, or never written. `file` outlives the stream.
Result<std::unique_ptr<ByteStream>> OpenHdf5Stream(const InputFile& file,
                                                   const StoredTensor& tensor);

}  // namespace assay
