#include "kernel/work_buffers.h"

#include <sys/mman.h>

#include <new>

namespace assay {

static_assert(2 * (WorkBuffers::kRead + WorkBuffers::kTile) + (128 << 10) <=
              WorkBuffers::kTotal);

WorkBuffers::WorkBuffers()
    : memory_(static_cast<std::byte*>(
          ::operator new(kTotal, std::align_val_t(kTotal)))) {
  madvise(memory_, kTotal, MADV_HUGEPAGE);
}

WorkBuffers::~WorkBuffers() {
  ::operator delete(memory_, std::align_val_t(kTotal));
}

WorkBuffers::Side WorkBuffers::At(size_t offset) const {
  return {.read = {memory_ + offset, kRead},
          .tile = {memory_ + offset + kRead, kTile}};
}

}  // namespace assay
