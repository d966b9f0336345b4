#include "kernel/value_stream.h"

#include <gtest/gtest.h>

#include "kernel/reduce.h"
#include "kernel/stored.h"

namespace assay {
namespace {

using namespace std::string_literals;
using enum DType;

// All values as bytes of type `to`; or the error.
std::string Values(const Stored& stored, DType to) {
  const WorkBuffers buffers;
  auto stream = ValueStream::Open(stored.open(), to, buffers);
  if (!stream) return stream.error().what;
  std::string out;
  while (true) {
    const auto piece = stream->Next();
    if (!piece) return piece.error().what;
    if (piece->empty()) return out;
    out += *piece;
  }
}

template <typename T>
std::string Bytes(std::vector<T> values) {
  return BytesOf(values);
}

TEST(ValueStream, KeepsOrWidens) {
  const struct {
    DType from, to;
    Shape shape;
    std::string stored, values;
  } kRows[] = {
      {kF32, kF32, {2}, Bytes<float>({1, -2}), Bytes<float>({1, -2})},
      {kF64, kF64, {1}, Bytes<double>({0.1}), Bytes<double>({0.1})},
      {kF16, kF16, {1}, "\x00\x3c"s, "\x00\x3c"s},
      {kBF16, kF32, {2}, "\x80\x3f\xc0\xbf"s, Bytes<float>({1, -1.5f})},
      {kF8E4M3, kF32, {2}, "\x38\xbc", Bytes<float>({1, -1.5f})},
      {kF8E5M2, kF32, {2}, "\x3c\xbe", Bytes<float>({1, -1.5f})},
      {kF8E8M0, kF32, {2}, "\x7f\x80", Bytes<float>({1, 2})},
      {kHiF8, kF32, {2}, "\x08\x8c", Bytes<float>({1, -1.5f})},
      {kI4, kI8, {3}, "\x7f\x08", "\xff\x07\xf8"},
      {kI4, kI4, {3}, "\x7f\x08", "\x7f\x08"},
      {kU1, kU8, {9}, "\xa0\x80", "\1\0\1\0\0\0\0\0\1"s},
      {kBool, kBool, {2}, "\0\1"s, "\0\1"s},
      {kI64, kI64, {1}, Bytes<int64_t>({-7}), Bytes<int64_t>({-7})},
      {kC64, kC64, {1}, Bytes<float>({1, 2}), Bytes<float>({1, 2})},
      {kC32, kC64, {1}, "\x00\x3c\x00\xc0"s, Bytes<float>({1, -2})},
      {kF32, kF32, {0, 3}, "", ""},
      {kF32, kF32, {}, Bytes<float>({9}), Bytes<float>({9})},
  };
  for (const auto& row : kRows) {
    const Stored plain(row.from, row.shape, row.stored);
    EXPECT_EQ(Values(plain, row.to), row.values) << Name(row.from);
    const size_t width = Info(Info(row.from).part).bits / 8u;
    if (width < 2) continue;
    const Stored big =
        Stored(row.from, row.shape, Swapped(row.stored, width)).BigEndian();
    EXPECT_EQ(Values(big, row.to), row.values) << Name(row.from);
  }
}

TEST(ValueStream, WidensWhatFormatsLack) {
  for (const DTypeInfo& info : AllDTypes()) {
    const DType wide = Widened(info.type);
    EXPECT_EQ(Widened(wide), wide) << info.name;
    EXPECT_EQ(Info(wide).kind, info.kind) << info.name;
    EXPECT_GE(Info(wide).bits, info.bits) << info.name;
  }
  EXPECT_EQ(Widened(kF16), kF16);
  EXPECT_EQ(Widened(kC32), kC64);
}

TEST(ValueStream, ReadsManyBlocks) {
  constexpr size_t kRows = 3, kColumns = kBlock + 5;
  std::vector<uint16_t> codes(kRows * kColumns);
  std::vector<float> floats(codes.size());
  for (size_t i = 0; i < codes.size(); ++i) {
    floats[i] = static_cast<float>(RoundedTo(static_cast<double>(i), 8));
    uint32_t bits;
    std::memcpy(&bits, &floats[i], 4);
    codes[i] = static_cast<uint16_t>(bits >> 16);
  }
  const std::string rows = BytesOf(codes), wide = BytesOf(floats);
  const std::string columns = Transposed(rows, kRows, kColumns, 2);
  const Shape shape = {kRows, kColumns};
  const Stored kStored[] = {
      Stored(kBF16, shape, rows),
      Stored(kBF16, shape, columns).ColumnMajor(),
      Stored(kBF16, shape, Swapped(columns, 2)).ColumnMajor().BigEndian(),
      Stored::Compressed(kBF16, shape, rows),
      Stored::Packed(kBF16, shape, rows),
  };
  for (const Stored& stored : kStored) {
    EXPECT_TRUE(Values(stored, kF32) == wide);
    EXPECT_TRUE(Values(stored, kBF16) == rows);
  }
}

TEST(ValueStream, PassesErrorsOn) {
  Stored stored = Stored::Compressed(kF32, {2}, Bytes<float>({1, 2}));
  stored.tensor.extent.crc ^= 1;
  EXPECT_EQ(Values(stored, kF32), "the checksum does not match");
  const Stored cut(kF32, {2}, Bytes<float>({1, 2}));
  cut.Truncate(12);
  EXPECT_EQ(Values(cut, kF32), "the file ends here, 4 bytes are missing");
}

}  // namespace
}  // namespace assay
