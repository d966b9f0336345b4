#include "kernel/byte_stream.h"

#include <gtest/gtest.h>

#include "kernel/stored.h"

namespace assay {
namespace {

using namespace std::string_literals;

// Reads `length` bytes in steps and ends the stream; the bytes or the error.
std::string Outcome(const Stored& stored, size_t length, size_t step = 1000) {
  auto stream = OpenStream(stored.file(), stored.tensor);
  if (!stream) return stream.error().what;
  std::string out(length, '\0');
  for (size_t at = 0; at < length; at += step) {
    const auto bytes = std::as_writable_bytes(std::span(out));
    const Status status =
        (*stream)->Read(bytes.subspan(at, std::min(step, length - at)));
    if (!status) return status.error().what;
  }
  const Status end = (*stream)->Finish();
  return end ? out : end.error().what;
}

Stored Compressed(const std::string& bytes) {
  return Stored::Compressed(DType::kU8, {}, bytes);
}

std::string Noise(size_t n) {
  std::mt19937 engine(5);
  std::string out;
  while (out.size() < n) out += static_cast<char>(engine());
  return out;
}

TEST(Inflate, GivesBackTheBytes) {
  const std::string kRows[] = {
      "",          "a",           "abcdefgh",
      Noise(1000), Noise(700000), std::string(1 << 20, 'z')};
  for (const std::string& bytes : kRows) {
    const Stored stored = Compressed(bytes);
    for (const size_t step : {7, 1000, 1 << 30}) {
      EXPECT_TRUE(Outcome(stored, bytes.size(), step) == bytes);
    }
  }
}

// The end of the stream may share its last byte with the last value.
TEST(Inflate, EndsAtAnyBit) {
  for (size_t n = 0; n < 300; ++n) {
    const std::string kRows[] = {Noise(n), std::string(n, 'x')};
    for (const std::string& bytes : kRows) {
      EXPECT_TRUE(Outcome(Compressed(bytes), n) == bytes) << n;
    }
  }
}

TEST(Inflate, SaysWhatIsWrong) {
  const std::string bytes = Noise(5000);
  Stored truncated = Compressed(bytes);
  truncated.tensor.extent.length -= 100;
  Stored cut = Compressed(bytes);
  cut.Truncate(cut.file().size() - 100);
  Stored sum = Compressed(bytes);
  sum.tensor.extent.crc ^= 1;
  Stored garbage(DType::kU8, {}, "\xff\xff\xff\xff garbage");
  garbage.tensor.extent.encoding = Encoding::kDeflate;
  Stored none = Compressed(bytes);
  none.tensor.extent.length = 0;
  Stored header = Compressed("");
  header.tensor.extent.skip = 10;
  const struct {
    const Stored& stored;
    size_t length;
    std::string error;
  } kRows[] = {
      {truncated, 5000, "the compressed data end early"},
      {cut, 5000, "the file ends here, 96 bytes are missing"},
      {sum, 5000, "the checksum does not match"},
      {garbage, 1, "the compressed data are damaged"},
      {none, 1, "the compressed data end early"},
      {none, 0, "the compressed data end early"},
      {header, 0, "the compressed data end early"},
      {Compressed(bytes), 4999, "more data than the header promises"},
      {Compressed(bytes), 0, "more data than the header promises"},
      {Compressed(bytes), 5001, "the compressed data end early"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Outcome(row.stored, row.length), row.error);
  }
}

TEST(Varint, GivesBackTheElements) {
  const std::string bytes = BytesOf(std::vector<uint64_t>{
      0, 1, 127, 128, 300, 1ull << 40, ~0ull, 0x8000000000000000u});
  for (const DType type : {DType::kU8, DType::kI16, DType::kI32, DType::kI64}) {
    const Stored stored = Stored::Packed(type, {}, bytes);
    for (const size_t step : {8, 24, 1000}) {
      EXPECT_EQ(Outcome(stored, bytes.size(), step), bytes) << Name(type);
    }
  }
}

TEST(Varint, KeepsTheLowBytes) {
  Stored stored(DType::kI8, {}, Varint(~0ull) + Varint(0x1234) + "\x05"s);
  stored.tensor.extent.encoding = Encoding::kVarint;
  EXPECT_EQ(Outcome(stored, 3), "\xff\x34\x05"s);
}

TEST(Varint, CrossesPieces) {
  std::vector<int32_t> values(300000);
  for (size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<int32_t>(i * 7919);
  }
  const Stored stored = Stored::Packed(DType::kI32, {}, BytesOf(values));
  EXPECT_TRUE(Outcome(stored, 4 * values.size(), 32768) == BytesOf(values));
}

TEST(Varint, SaysWhatIsWrong) {
  for (const std::string& bytes :
       {""s, "\x80"s, "\x01\xff"s, std::string(11, '\xff')}) {
    Stored stored(DType::kI32, {}, bytes);
    stored.tensor.extent.encoding = Encoding::kVarint;
    EXPECT_EQ(Outcome(stored, 8), "the packed values end early");
  }
}

TEST(ByteStream, IsNotForRawBytes) {
  EXPECT_EQ(Outcome(Stored(DType::kU8, {3}, "abc"), 3),
            "raw bytes need no stream");
}

}  // namespace
}  // namespace assay
