#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/dtype.h"

namespace assay {

using Shape = std::vector<int64_t>;

// The number of elements; nothing if a dimension is negative or the product
// does not fit.
std::optional<uint64_t> ElementCount(std::span<const int64_t> shape);
// Bytes of `count` elements, rounded up to whole bytes for sub-byte types.
std::optional<uint64_t> ByteCount(DType type, uint64_t count);

std::string ToText(std::span<const int64_t> shape);      // "[1,8,4,4]"
std::optional<Shape> ParseShape(std::string_view text);  // "16,16", "16x16", ""
bool SameButForOnes(std::span<const int64_t> a, std::span<const int64_t> b);

// Row-major coordinates of element `flat`.
Shape Coordinates(uint64_t flat, std::span<const int64_t> shape);

}  // namespace assay
