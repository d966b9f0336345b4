#pragma once

#include <cstdint>
#include <string>
#include <vector>

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
};

}  // namespace assay
