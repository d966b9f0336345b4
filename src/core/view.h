#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/layout.h"
#include "core/quant_grid.h"
#include "core/shape.h"

namespace assay {

// One change on the way from stored bytes to compared numbers.
struct ViewStep {
  enum Kind : uint8_t { kFlatten } kind = kFlatten;
  Shape shape;  // what it turns into

  std::string Text() const;
};

// What a pairing knows of how a tensor is to be seen.
struct ViewHints {
  // What a graph says the framework has: the order of the dimensions, and
  // their extents where the tensor itself does not say.
  std::optional<Layout> layout;
  std::optional<Shape> logical;
  bool repeat_batch = false;  // the sides may have run with other batch sizes
  std::shared_ptr<const QuantGrid> grid;  // of a quantised tensor
};

// A tensor of one side, and how its bytes become the numbers to compare.
struct View {
  uint32_t tensor = 0;                     // into Dump::tensors
  std::shared_ptr<const ViewHints> hints;  // null: as the tensor says itself
};

}  // namespace assay
