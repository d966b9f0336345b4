#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/hdf5_file.h"

namespace assay {

// A "fractal" heap: objects in blocks of doubling size. New files keep the
// links of large groups and the attributes of objects with many in one.
class Hdf5Heap {
 public:
  // `file` outlives it.
  static Result<Hdf5Heap> Open(const Hdf5File& file, uint64_t address);

  // The object that an identifier stands for.
  Result<std::string> Object(std::string_view id) const;

 private:
  explicit Hdf5Heap(const Hdf5File& file) : file_(&file) {}
  // Where byte `offset` of the heap is, and how many follow it in its block.
  struct Place {
    uint64_t address = 0, left = 0;
  };
  Result<Place> Find(uint64_t offset) const;

  const Hdf5File* file_;
  uint64_t address_ = 0;
  uint64_t width_ = 0;    // blocks per row
  uint64_t first_ = 0;    // bytes of a block in the first two rows
  uint64_t largest_ = 0;  // bytes of a block with objects
  uint64_t root_ = 0;
  uint64_t rows_ = 0;  // of the root; 0: it holds objects itself
  size_t offset_bytes_ = 0, size_bytes_ = 0;
};

}  // namespace assay
