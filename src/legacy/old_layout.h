#pragma once

#include <optional>
#include <string_view>

#include "core/tensor.h"

namespace assay {

// Whether msaccucmp can turn one layout into the other.
bool IsOldConversion(Layout from, Layout to);

// How it unpacks a layout: one word for each dimension that comes out, with the
// dimension of the source, or the two that are joined, as digits. "0 14 2 3" is
// NC1HWC0 to NCHW. None for what is packed instead, and what it cannot do.
std::optional<std::string_view> OldUnpacking(Layout from, Layout to);

// Whether it has a dimension D.
bool HasDepth(Layout layout);

// The layout of a tensor as msaccucmp takes it: NCHW and the like are that only
// with four dimensions.
Layout OldLayoutOf(const StoredTensor& tensor);

// With ones behind it, up to `rank` dimensions.
Shape Padded(Shape shape, size_t rank);
Shape WithoutOnes(const Shape& shape);

}  // namespace assay
