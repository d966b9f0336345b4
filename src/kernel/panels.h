#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/element_map.h"

namespace assay {

// The two layouts that matter for speed, panel by panel: the rows that share a
// block of a device layout are brought into order at once, with the stored
// bytes read one after the other. A panel is a part of the row-major tensor.
//
//   NC1HWC0 to NCHW    16 channels: a matrix (H W, 16) is transposed
//   FRACTAL_NZ to ND   16 rows: blocks (16, 16) are laid side by side
class Panels {
 public:
  // Whether the map has panels, and one fits into `room` bytes.
  static bool Fit(const ElementMap& map, uint8_t bits, size_t room);

  // Only if they fit. Panels of up to `most` elements are made where the stored
  // bytes allow it.
  Panels(const ElementMap& map, uint8_t bits, uint64_t most);

  uint64_t Largest() const;  // elements of one panel
  // Whether nothing of another panel stands between the elements of one.
  bool StandAlone() const;

  struct Panel {
    uint64_t first = 0, n = 0;    // row-major elements
    int64_t begin = 0, span = 0;  // where they stand, and how far apart
  };
  // The panel with row-major element `at`.
  Panel At(uint64_t at) const;
  // Brings a panel into order at `out`; `from` is where it begins.
  void Fill(const Panel& panel, const std::byte* from, std::byte* out) const;

 private:
  void JoinBlocks(uint64_t most);

  std::vector<MapAxis> outer_;
  MapAxis rows_, columns_;
  size_t width_;  // bytes of an element
};

}  // namespace assay
