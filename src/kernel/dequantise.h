#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/stored_view.h"
#include "kernel/decode.h"

namespace assay {

// Turns the integers of a view, tile after tile, into what they stand for.
class Dequantiser {
 public:
  Dequantiser() = default;  // leaves them
  // `first`: the element that the first tile begins with.
  Dequantiser(const StoredView& view, uint64_t first);

  // A grid is of integers against floats: no tile is one of integers.
  void Apply(TileType type, void* tile, size_t n) {
    if (grid_) Change(type, tile, n);
  }

 private:
  void Change(TileType type, void* tile, size_t n);
  template <typename T>
  void Change(T* values, size_t n);

  std::shared_ptr<const QuantGrid> grid_;
  uint64_t run_ = 0;   // elements that follow each other with one scale
  uint64_t left_ = 0;  // of the current run
  size_t scale_ = 0;   // of it
};

}  // namespace assay
