#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "core/element_map.h"
#include "core/tensor.h"

namespace assay {

// A device layout, or another order of dimensions, seen as a plain tensor.
struct Unpacked {
  ElementMap map;
  Shape shape;
  Layout layout = Layout::kND;
  std::vector<std::string> steps;  // "unpack NC1HWC0 to NCHW", "cut C 16 to 8"
};

// `to`: the layout wanted, the framework's own if not given. `shape`: the
// extents wanted, in the order of `to`; those before packing if not given.
// Where neither the file nor the caller says the shape, padding stays.
Result<Unpacked> Unpack(const StoredTensor& tensor, std::optional<Layout> to,
                        const std::optional<Shape>& shape);

// Whether a plain tensor of this shape, in some order of its dimensions, could
// have become the stored one: nothing more is there than packing pads.
bool CouldHavePacked(const StoredTensor& tensor, const Shape& shape);

}  // namespace assay
