#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "base/input_file.h"
#include "base/result.h"
#include "core/tensor.h"

namespace assay {

// Decoded bytes of a tensor that can only be read from front to back.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Fills `out` completely; the stream ending early is an error.
  virtual Status Read(std::span<std::byte> out) = 0;
  // All values were read: checks that nothing follows and the sum is right.
  virtual Status Finish() { return Done{}; }
};

// For extents that are not raw. `file` must outlive the stream.
Result<std::unique_ptr<ByteStream>> OpenStream(const InputFile& file,
                                               const StoredTensor& tensor);

}  // namespace assay
