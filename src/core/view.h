#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/layout.h"
#include "core/shape.h"

namespace assay {

// One change on the way from stored bytes to compared numbers.
struct ViewStep {
  enum Kind : uint8_t { kFlatten } kind = kFlatten;
  Shape shape;  // what it turns into

  std::string Text() const;
};

// How stored tensors become the numbers to compare.
struct View {
  std::vector<uint32_t> tensors;  // into Dump::tensors; several are joined
  std::vector<ViewStep> steps;
  // What a graph says the framework has: the order of the dimensions, and
  // their extents where the tensor itself does not say.
  std::optional<Layout> layout;
  std::optional<Shape> logical;
  bool repeat_batch = false;  // the sides may have run with other batch sizes
};

}  // namespace assay
