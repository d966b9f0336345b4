#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace assay {

// Exact powers of two for building tables at compile time.
constexpr float Power2(int exponent) {
  float value = 1;
  for (; exponent > 0; --exponent) value *= 2;
  for (; exponent < 0; ++exponent) value /= 2;
  return value;
}

inline constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
inline constexpr float kInfinity = std::numeric_limits<float>::infinity();

constexpr float F8E4M3(uint8_t code) {
  const int e = code >> 3 & 15, m = code & 7;
  if (e == 15 && m == 7) return kNaN;
  const float v = e == 0 ? static_cast<float>(m) / 8 * Power2(-6)
                         : (1 + static_cast<float>(m) / 8) * Power2(e - 7);
  return code & 0x80 ? -v : v;
}

constexpr float F8E5M2(uint8_t code) {
  const int e = code >> 2 & 31, m = code & 3;
  if (e == 31 && m != 0) return kNaN;
  const float v = e == 31  ? kInfinity
                  : e == 0 ? static_cast<float>(m) / 4 * Power2(-14)
                           : (1 + static_cast<float>(m) / 4) * Power2(e - 15);
  return code & 0x80 ? -v : v;
}

constexpr float F8E8M0(uint8_t code) {
  return code == 255 ? kNaN : Power2(code - 127);
}

// HiFloat8: after the sign, a prefix tells how many bits the exponent has:
// 11 four, 10 three, 01 two, 001 one, 0001 none, 0000 a denormal.
constexpr float HiF8(uint8_t code) {
  if (code == 0x80) return kNaN;
  const int bits = code & 0x7f;
  const float sign = code & 0x80 ? -1.0f : 1.0f;
  if (bits == 0x6f) return sign * kInfinity;
  if (bits < 8) return bits == 0 ? 0.0f : sign * Power2(bits - 23);
  const int width = bits >= 96   ? 4
                    : bits >= 64 ? 3
                    : bits >= 32 ? 2
                    : bits >= 16 ? 1
                                 : 0;
  const int fraction = width == 4 ? 1 : width == 3 ? 2 : 3;
  int exponent = 0;
  if (width > 0) {
    const int field = bits >> fraction & ((1 << width) - 1);
    const int top = 1 << (width - 1);
    const int magnitude = top | (field & (top - 1));
    exponent = field & top ? -magnitude : magnitude;
  }
  const int m = bits & ((1 << fraction) - 1);
  return sign * Power2(exponent) *
         (1 + static_cast<float>(m) / static_cast<float>(1 << fraction));
}

// All 256 values of an 8-bit float.
using ByteTable = std::array<float, 256>;
constexpr ByteTable MakeTable(float (*decode)(uint8_t)) {
  ByteTable table{};
  for (int i = 0; i < 256; ++i) {
    table[static_cast<size_t>(i)] = decode(static_cast<uint8_t>(i));
  }
  return table;
}

}  // namespace assay
