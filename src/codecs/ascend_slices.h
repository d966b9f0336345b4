#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/shape.h"

namespace assay {

// How an operator was cut into threads, as an attribute of its dump says.
struct AscendSlices {
  bool automatic = false;  // the header has the shapes of the whole tensors
  int64_t threads = 0;
  // Per output and dimension into how many parts it is cut; 1 is not cut, 0 is
  // cut into nobody knows how many.
  std::vector<std::vector<int64_t>> output_cuts;
  // What one thread has of each tensor; empty where that is not known.
  std::vector<Shape> inputs, outputs;
};

// Nothing if the text is not JSON or not about threads: attributes are free
// text.
std::optional<AscendSlices> ParseAscendSlices(std::string_view json,
                                              std::optional<uint64_t> thread);

}  // namespace assay
