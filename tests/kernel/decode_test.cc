#include "kernel/decode.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "kernel/stored.h"

namespace assay {
namespace {

using namespace std::string_literals;
using enum DType;

// `n` decoded reals as doubles. The bytes start at an odd address: files keep
// no alignment.
std::vector<double> Decoded(DType type, TileType tile, bool big_endian,
                            const std::string& bytes, size_t n) {
  const std::string shifted = "x" + bytes;
  const auto* in = reinterpret_cast<const std::byte*>(shifted.data()) + 1;
  std::vector<double> room(n + 1);
  if (const Decoder decode = FindDecoder(type, tile, big_endian)) {
    decode(in, n, room.data());
  } else {
    std::memcpy(room.data(), in, n * TileWidth(tile));
  }
  std::vector<double> out;
  for (size_t i = 0; i < n; ++i) {
    if (tile == TileType::kF32) {
      out.push_back(reinterpret_cast<const float*>(room.data())[i]);
    } else if (tile == TileType::kF64) {
      out.push_back(room[i]);
    } else {
      out.push_back(static_cast<double>(
          reinterpret_cast<const int64_t*>(room.data())[i]));
    }
  }
  return out;
}

template <typename T>
std::string Bytes(std::vector<T> values) {
  return BytesOf(values);
}

const struct {
  DType type;
  std::string bytes;  // little-endian
  std::vector<double> values;
} kRows[] = {
    {kF64, Bytes<double>({0, -1.5, 0x1p62}), {0, -1.5, 0x1p62}},
    {kF32, Bytes<float>({0, -1.5f, 0x1p62f}), {0, -1.5, 0x1p62}},
    {kF16, Bytes<uint16_t>({0, 0xbe00, 0x7bff, 1}), {0, -1.5, 65504, 0x1p-24}},
    {kBF16, Bytes<uint16_t>({0, 0xbfc0, 0x4049}), {0, -1.5, 3.140625}},
    {kF8E4M3, "\x00\xbc\x7e\x01"s, {0, -1.5, 448, 0x1p-9}},
    {kF8E5M2, "\x00\xbe\x7b\x01"s, {0, -1.5, 57344, 0x1p-16}},
    {kF8E8M0, "\x7f\x80\x7d"s, {1, 2, 0.25}},
    {kHiF8, "\x00\x8c\x08\x01"s, {0, -1.5, 1, 0x1p-22}},
    {kI64, Bytes<int64_t>({0, -7, INT64_MIN}), {0, -7, -0x1p63}},
    {kI32, Bytes<int32_t>({0, -7, INT32_MIN}), {0, -7, -0x1p31}},
    {kI16, Bytes<int16_t>({0, -7, INT16_MIN}), {0, -7, -0x1p15}},
    {kI8, Bytes<int8_t>({0, -7, INT8_MIN}), {0, -7, -128}},
    {kI4, "\x70\x98\x0f"s, {0, 7, -8, -7, -1}},  // low nibble first
    {kU64, Bytes<uint64_t>({0, 7, 1ull << 62}), {0, 7, 0x1p62}},
    {kU32, Bytes<uint32_t>({0, 7, 1u << 31}), {0, 7, 0x1p31}},
    {kU16, Bytes<uint16_t>({0, 7, 65535}), {0, 7, 65535}},
    {kU8, Bytes<uint8_t>({0, 7, 255}), {0, 7, 255}},
    {kU1, "\xa1\x80"s, {1, 0, 1, 0, 0, 0, 0, 1, 1, 0}},  // high bit first
    {kBool, "\x00\x01\x02\xff"s, {0, 1, 1, 1}},
    {kC64, Bytes<float>({1, -2, 3.5f, 0}), {1, -2, 3.5, 0}},
    {kC128, Bytes<double>({1, -2, 3.5, 0}), {1, -2, 3.5, 0}},
    {kC32, Bytes<uint16_t>({0x3c00, 0xc000}), {1, -2}},
};

TEST(Decode, EveryTypeIntoEveryTile) {
  for (const auto& row : kRows) {
    const size_t n = row.values.size();
    const size_t width = Info(Info(row.type).part).bits / 8u;
    const std::string swapped =
        width > 1 ? Swapped(row.bytes, width) : row.bytes;
    for (const TileType tile :
         {TileType::kF32, TileType::kF64, TileType::kI64}) {
      std::vector<double> wanted = row.values;
      for (double& v : wanted) v = tile == TileType::kI64 ? std::trunc(v) : v;
      EXPECT_EQ(Decoded(row.type, tile, false, row.bytes, n), wanted)
          << Name(row.type);
      EXPECT_EQ(Decoded(row.type, tile, true, swapped, n), wanted)
          << Name(row.type) << " big-endian";
    }
  }
}

TEST(Decode, TheTableIsComplete) {
  ASSERT_EQ(std::size(kRows) + 1, AllDTypes().size());  // all but opaque
  for (size_t i = 0; i < std::size(kRows); ++i) {
    EXPECT_EQ(kRows[i].type, AllDTypes()[i].type);
  }
  EXPECT_EQ(FindDecoder(kOpaque, TileType::kF32, false), nullptr);
}

TEST(Decode, NothingToDoWhereTheBytesAreTheTile) {
  const struct {
    DType type;
    TileType tile;
  } kSame[] = {{kF32, TileType::kF32}, {kC64, TileType::kF32},
               {kF64, TileType::kF64}, {kC128, TileType::kF64},
               {kI64, TileType::kI64}, {kU64, TileType::kI64}};
  for (const auto& row : kSame) {
    EXPECT_EQ(FindDecoder(row.type, row.tile, false), nullptr);
    EXPECT_NE(FindDecoder(row.type, row.tile, true), nullptr);
  }
}

double HalfValue(unsigned code) {
  const int e = static_cast<int>(code >> 10 & 31), m = code & 1023;
  const double sign = code & 0x8000 ? -1 : 1;
  if (e == 31) return m == 0 ? sign * HUGE_VAL : NAN;
  return sign * (e == 0 ? std::ldexp(m, -24) : std::ldexp(1024 + m, e - 25));
}

// All codes, through the vector routine and through the plain ones.
TEST(Decode, EveryHalf) {
  std::vector<uint16_t> codes(65536);
  for (unsigned i = 0; i < 65536; ++i) codes[i] = static_cast<uint16_t>(i);
  const std::string bytes = BytesOf(codes);
  const auto vector = Decoded(kF16, TileType::kF32, false, bytes, 65536);
  const auto plain = Decoded(kF16, TileType::kF64, false, bytes, 65536);
  const auto big =
      Decoded(kF16, TileType::kF32, true, Swapped(bytes, 2), 65536);
  for (unsigned i = 0; i < 65536; ++i) {
    const double wanted = HalfValue(i);
    for (const double got : {vector[i], plain[i], big[i]}) {
      if (std::isnan(wanted)) {
        ASSERT_TRUE(std::isnan(got)) << i;
      } else {
        ASSERT_EQ(got, wanted) << i;
        ASSERT_EQ(std::signbit(got), std::signbit(wanted)) << i;
      }
    }
  }
}

TEST(ChooseTile, KeepsEveryDigit) {
  constexpr auto kFloat = TileType::kF32, kDouble = TileType::kF64,
                 kWhole = TileType::kI64;
  const struct {
    DType a, b;
    TileType tile;
  } kPairs[] = {
      {kF32, kF32, kFloat},  {kF32, kF16, kFloat},   {kBF16, kI8, kFloat},
      {kU16, kI16, kFloat},  {kBool, kBool, kFloat}, {kI4, kU1, kFloat},
      {kC64, kC32, kFloat},  {kF64, kF32, kDouble},  {kC128, kC64, kDouble},
      {kI32, kI32, kDouble}, {kI32, kF32, kDouble},  {kU32, kI8, kDouble},
      {kI64, kI64, kWhole},  {kI64, kU64, kWhole},   {kI64, kBool, kWhole},
      {kU64, kI32, kWhole},  {kI64, kF32, kDouble},  {kU64, kBF16, kDouble},
      {kI64, kF64, kDouble},
  };
  for (const auto& row : kPairs) {
    EXPECT_EQ(ChooseTile(row.a, row.b), row.tile) << Name(row.a);
    EXPECT_EQ(ChooseTile(row.b, row.a), row.tile) << Name(row.a);
  }
}

}  // namespace
}  // namespace assay
