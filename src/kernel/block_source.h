#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/input_file.h"
#include "base/result.h"
#include "core/stored_view.h"

namespace assay {

// How raw bytes reach the CPU.
enum class ReadMode : uint8_t { kRead, kMap };

// The row-major bytes of one tensor, one block after the other.
class BlockSource {
 public:
  virtual ~BlockSource() = default;
  // The next `bytes` bytes, valid until the next call. All calls but the last
  // ask for the same number.
  virtual Result<const std::byte*> Next(size_t bytes) = 0;
  // All blocks were read.
  virtual Status Finish() { return Done{}; }
  // Bytes that the next call can give without copying them together: whole
  // elements of any type.
  virtual size_t AtOnce() { return 64 << 10; }
};

struct BlockRange {
  uint64_t begin = 0;  // in row-major bytes of the view
  uint64_t end = 0;
};

// A view with its files open. `view` outlives it.
struct OpenView {
  const StoredView* view = nullptr;
  std::vector<InputFile> files;  // one per part

  static Result<OpenView> Open(const StoredView& view);
};

// Whether a view can be opened in the middle.
bool IsSeekable(const StoredView& view);

// `buffer` and `open` outlive the source. A view that is not seekable is read
// from its start.
Result<std::unique_ptr<BlockSource>> OpenBlocks(const OpenView& open,
                                                BlockRange range, ReadMode mode,
                                                std::span<std::byte> buffer);

}  // namespace assay
