#include "core/shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace assay {

std::optional<uint64_t> ElementCount(std::span<const int64_t> shape) {
  uint64_t count = 1;
  bool zero = false;
  for (const int64_t dim : shape) {
    if (dim < 0) return std::nullopt;
    if (dim == 0) {
      zero = true;
    } else if (__builtin_mul_overflow(count, static_cast<uint64_t>(dim),
                                      &count)) {
      return std::nullopt;
    }
  }
  return zero ? 0 : count;
}

std::optional<uint64_t> ByteCount(DType type, uint64_t count) {
  uint64_t bits = 0;
  if (__builtin_mul_overflow(count, uint64_t{Info(type).bits}, &bits)) {
    return std::nullopt;
  }
  return bits / 8 + (bits % 8 != 0);
}

std::string ToText(std::span<const int64_t> shape) {
  return fmt::format("[{}]", fmt::join(shape, ","));
}

std::optional<Shape> ParseShape(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    text = text.substr(1, text.size() - 2);
  }
  Shape shape;
  while (!text.empty()) {
    int64_t dim = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), dim);
    if (error != std::errc() || dim < 0) return std::nullopt;
    shape.push_back(dim);
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    if (text.empty()) break;
    if (text[0] != ',' && text[0] != 'x') return std::nullopt;
    text.remove_prefix(1);
    if (text.empty()) return std::nullopt;
  }
  return shape;
}

bool SameButForOnes(std::span<const int64_t> a, std::span<const int64_t> b) {
  size_t i = 0, j = 0;
  while (true) {
    while (i < a.size() && a[i] == 1) ++i;
    while (j < b.size() && b[j] == 1) ++j;
    if (i == a.size() || j == b.size()) return i == a.size() && j == b.size();
    if (a[i++] != b[j++]) return false;
  }
}

Shape Coordinates(uint64_t flat, std::span<const int64_t> shape) {
  Shape at(shape.size());
  for (size_t k = shape.size(); k-- > 0;) {
    const auto dim = static_cast<uint64_t>(shape[k]);
    if (dim == 0) continue;  // no element, no place
    at[k] = static_cast<int64_t>(flat % dim);
    flat /= dim;
  }
  return at;
}

}  // namespace assay
