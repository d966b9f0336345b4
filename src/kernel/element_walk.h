#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/element_map.h"

namespace assay {

// Visits the elements of a map in row-major order and moves them between their
// stored places and row-major bytes. Elements of less than a byte are packed.
class ElementWalk {
 public:
  // Starts at row-major element `first`. `bits` of one element: 1 (high bit
  // first), 4 (low nibble first) or whole bytes.
  ElementWalk(const ElementMap& map, uint8_t bits, uint64_t first);

  // The next `n` elements from their places in `stored` to `out`.
  void Gather(const std::byte* stored, size_t n, std::byte* out);
  // The next `n` elements from `in` to their places; what `stored` holds
  // between them stays.
  void Scatter(const std::byte* in, size_t n, std::byte* stored);

 private:
  // Elements in one line of equal distance, from where the walk stands.
  struct Run {
    int64_t at = 0, stride = 0;
    size_t n = 0;

    uint64_t At(size_t i) const {
      return static_cast<uint64_t>(at + static_cast<int64_t>(i) * stride);
    }
  };
  Run Next(size_t most);
  size_t GatherBlocks(const std::byte* stored, size_t most, std::byte* out);
  void Pass(size_t n);

  std::vector<MapAxis> axes_;
  std::vector<int64_t> index_, offset_;
  int64_t base_ = 0;  // sum of all offsets but the last
  uint8_t bits_;
};

}  // namespace assay
