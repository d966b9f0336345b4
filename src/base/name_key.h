#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

namespace assay {

// A number for a short name, to `switch` over names:
//
//   switch (NameKey(field.name)) { case NameKey("op"): ...
//
// It looks at the length and the first and last eight bytes; two cases that
// share their number do not compile. A foreign name may have the number of one
// of ours: only for files where that does no harm.
constexpr uint64_t NameKey(std::string_view name) {
  static_assert(std::endian::native == std::endian::little);
  const auto load = [&](size_t at, size_t bytes) {
    uint64_t word = 0;
    if (!std::is_constant_evaluated()) {
      std::memcpy(&word, name.data() + at, bytes);
      return word;
    }
    for (size_t i = 0; i < bytes; ++i) {
      word |= static_cast<uint64_t>(static_cast<uint8_t>(name[at + i]))
              << (8 * i);
    }
    return word;
  };
  const size_t n = name.size();
  uint64_t first = 0, last = 0;
  if (n >= 8) {
    first = load(0, 8), last = load(n - 8, 8);
  } else if (n >= 4) {
    first = load(0, 4), last = load(n - 4, 4);
  } else if (n > 0) {
    first = load(0, 1) | load(n / 2, 1) << 8 | load(n - 1, 1) << 16;
  }
  return (first * 0x9e3779b97f4a7c15 ^ last * 0xc2b2ae3d27d4eb4f) + n;
}

}  // namespace assay
