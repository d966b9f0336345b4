// All codes of the 8-bit floats against formulas written from their tables.
#include "kernel/small_float.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace assay {
namespace {

// A float with so many exponent and fraction bits, and subnormals.
double Plain(int code, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int e = code >> fraction_bits & ((1 << exponent_bits) - 1);
  const int m = code & ((1 << fraction_bits) - 1);
  const double v =
      e == 0 ? std::ldexp(m, 1 - bias - fraction_bits)
             : std::ldexp(m + (1 << fraction_bits), e - bias - fraction_bits);
  return code & 0x80 ? -v : v;
}

// No infinities; only all ones is NaN.
double PlainE4M3(int code) {
  return (code & 0x7f) == 0x7f ? NAN : Plain(code, 4, 3);
}

double PlainE5M2(int code) {
  const int rest = code & 0x7f;
  if (rest > 0x7c) return NAN;
  if (rest == 0x7c) return code & 0x80 ? -HUGE_VAL : HUGE_VAL;
  return Plain(code, 5, 2);
}

double PlainE8M0(int code) {
  return code == 255 ? NAN : std::ldexp(1, code - 127);
}

int FromBinary(const std::string& bits) {
  return bits.empty() ? 0 : std::stoi(bits, nullptr, 2);
}

// HiFloat8 read bit by bit: sign, dot, exponent (sign and magnitude with a
// hidden leading one), fraction.
double PlainHiF8(int code) {
  const struct {
    std::string dot;
    size_t exponent_bits;
  } kDots[] = {{"11", 4}, {"10", 3}, {"01", 2}, {"001", 1}, {"0001", 0}};
  std::string bits;
  for (int i = 6; i >= 0; --i) bits += code >> i & 1 ? '1' : '0';
  const double sign = code & 0x80 ? -1 : 1;
  if (bits == "0000000") return code & 0x80 ? NAN : 0;
  if (bits == "1101111") return sign * HUGE_VAL;
  for (const auto& [dot, exponent_bits] : kDots) {
    if (!bits.starts_with(dot)) continue;
    const std::string e = bits.substr(dot.size(), exponent_bits);
    const std::string m = bits.substr(dot.size() + exponent_bits);
    int exponent = e.empty() ? 0 : FromBinary("1" + e.substr(1));
    if (e.starts_with('1')) exponent = -exponent;
    return sign * std::ldexp(1 + std::ldexp(FromBinary(m),
                                            -static_cast<int>(m.size())),
                             exponent);
  }
  return sign * std::ldexp(1, FromBinary(bits.substr(4)) - 23);
}

TEST(SmallFloat, EveryCode) {
  const struct {
    const char* name;
    float (*decode)(uint8_t);
    double (*wanted)(int);
  } kRows[] = {
      {"f8e4m3", F8E4M3, PlainE4M3},
      {"f8e5m2", F8E5M2, PlainE5M2},
      {"f8e8m0", F8E8M0, PlainE8M0},
      {"hif8", HiF8, PlainHiF8},
  };
  for (const auto& row : kRows) {
    const ByteTable table = MakeTable(row.decode);
    for (int code = 0; code < 256; ++code) {
      const float got = table[static_cast<size_t>(code)];
      const double wanted = row.wanted(code);
      if (std::isnan(wanted)) {
        EXPECT_TRUE(std::isnan(got)) << row.name << " " << code;
      } else {
        EXPECT_EQ(got, wanted) << row.name << " " << code;
        EXPECT_EQ(std::signbit(got), std::signbit(wanted)) << code;
      }
    }
  }
}

TEST(SmallFloat, KnownValues) {
  EXPECT_EQ(F8E4M3(0x7e), 448);
  EXPECT_EQ(F8E5M2(0x7b), 57344);
  EXPECT_EQ(F8E8M0(254), 0x1p127f);
  EXPECT_EQ(HiF8(0x6e), 32768);  // largest
  EXPECT_EQ(HiF8(0x01), 0x1p-22f);
}

}  // namespace
}  // namespace assay
