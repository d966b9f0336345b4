#pragma once

#include <memory>

#include "base/input_file.h"
#include "base/result.h"
#include "core/tensor.h"
#include "kernel/byte_stream.h"

namespace assay {

// The values of a dataset in chunks, or of one that was never written
// (Encoding::kHdf5). The extent's offset is that of the dataset's header;
// `file` outlives the stream.
Result<std::unique_ptr<ByteStream>> OpenHdf5Stream(const InputFile& file,
                                                   const StoredTensor& tensor);

}  // namespace assay
