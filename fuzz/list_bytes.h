#pragma once

#include "codecs/codec.h"
#include "kernel/pair_blocks.h"
#include "memory_file.h"

namespace assay {

// Reads every value of a tensor that is not absurdly large.
inline void ReadValues(const InputFile& file, const StoredTensor& tensor) {
  constexpr uint64_t kMost = 1 << 20;
  static const WorkBuffers buffers;
  const uint64_t count = RealCount(tensor);
  if (!HasNumbers(tensor) || count > kMost) return;
  const StoredView view = PlainView(file.path(), tensor);
  const auto open = OpenView::Open(view);
  if (!open) abort();
  auto blocks =
      PairBlocks::Open(*open, *open, {0, count}, ReadMode::kRead, buffers);
  while (blocks) {
    const auto tile = blocks->Next();
    if (!tile || tile->n == 0) return;
  }
}

// Lists bytes as a file of one codec and reads what it finds; stops the fuzzer
// if an extent leaves the file or an error says nothing.
inline void ListBytes(std::string_view codec, const uint8_t* data, size_t size,
                      const CodecHints& hints = {}) {
  const MemoryFile memory(data, size);
  const auto file = InputFile::Open(memory.path());
  if (!file) abort();
  const auto tensors = FindCodec(codec)->list(*file, hints);
  if (!tensors) {
    if (tensors.error().what.empty() || tensors.error().file.empty()) abort();
    return;
  }
  for (const StoredTensor& tensor : *tensors) {
    const Extent& extent = tensor.extent;
    if (extent.offset > size || extent.length > size - extent.offset) abort();
    if (!ElementCount(tensor.shape)) abort();
    ReadValues(*file, tensor);
  }
}

}  // namespace assay
