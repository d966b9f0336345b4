#pragma once

#include <optional>
#include <string>

#include "core/dump.h"
#include "legacy/msaccucmp_log.h"

namespace assay {

class FormatScripts;

// A tensor as msaccucmp's convert writes it, whole in memory.
struct OldArray {
  DType dtype = DType::kF32;
  Shape shape;
  Layout layout = Layout::kND;
  std::string bytes;  // row-major, little-endian
};

// What `-f` asks for, and `-s`.
struct OldFormat {
  Layout layout = Layout::kND;
  std::optional<Shape> shape;
  const FormatScripts* scripts = nullptr;  // of the user (-c)
};

// Without a format: as it is stored.
OldResult<OldArray> ReadArray(const Dump& dump, const TensorInfo& tensor,
                              const std::optional<OldFormat>& format);
// A view's values; types that NumPy lacks are widened.
Result<OldArray> WholeArray(const StoredView& view);

// The first `count` values in a row, as float32, or as they are if they are
// bool and stay it.
Result<OldArray> FlatArray(const StoredView& view, uint64_t count,
                           bool keep_bool);

}  // namespace assay
