#pragma once

#include <string_view>

#include "kernel/hdf5_chunk_arrays.h"

namespace assay {

// What both kinds of arrays share: elements side by side, in pages if many.
class ChunkArray {
 public:
  ChunkArray(const Hdf5File& file, const VisitElement& visit)
      : file_(file), visit_(visit) {}

 protected:
  static constexpr uint64_t kSumBytes = 4;

  // Bytes of every block before what it holds.
  uint64_t Prefix() const { return 6 + file_.address_bytes(); }

  Status Visit(std::string_view elements, uint64_t first);
  // A block of `count` elements after `prefix` bytes, without pages.
  Status VisitBlock(uint64_t address, std::string_view letters, uint64_t prefix,
                    uint64_t count, uint64_t first);
  Status VisitPage(uint64_t address, uint64_t count, uint64_t first) {
    return VisitBlock(address, "", 0, count, first);
  }

  const Hdf5File& file_;
  const VisitElement& visit_;
  uint64_t width_ = 0;  // bytes of an element
  uint64_t page_ = 0;   // elements of a page
};

// Is bit `i` set? The first is the highest of the first byte.
bool BitAt(std::string_view bits, uint64_t i);

Status ForEachInFixedArray(const Hdf5File& file, uint64_t address,
                           const VisitElement& visit);
Status ForEachInExtensibleArray(const Hdf5File& file, uint64_t address,
                                const VisitElement& visit);

}  // namespace assay
