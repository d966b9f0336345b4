#include "base/byte_reader.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

using namespace std::string_literals;

TEST(ByteReader, ReadsLittleEndian) {
  const std::string bytes(
      "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\xff text", 20);
  ByteReader in(bytes, "f", 100);
  EXPECT_EQ(in.U16("a"), 0x0201u);
  EXPECT_EQ(in.U32("b"), 0x06050403u);
  EXPECT_EQ(in.U64("c"), 0x0e0d0c0b0a090807u);
  EXPECT_EQ(in.U8("d"), 0xffu);
  in.Skip(1, "e");
  EXPECT_EQ(in.offset(), 116u);
  EXPECT_EQ(in.Text(4, "f"), "text");
  EXPECT_EQ(in.left(), 0u);
  EXPECT_EQ(in.Text(0, "g"), "");
  EXPECT_TRUE(in.ok());
}

TEST(ByteReader, KeepsTheFirstError) {
  ByteReader in("abc", "f.bin", 10);
  EXPECT_EQ(in.U16("first"), 0x6261u);
  EXPECT_EQ(in.U32("second"), 0u);
  EXPECT_EQ(in.U8("third"), 0u);  // one byte is left, but the reader is done
  EXPECT_EQ(in.Text(9, "fourth"), "");
  EXPECT_EQ(in.Varint("fifth"), 0u);
  ASSERT_FALSE(in.ok());
  EXPECT_EQ(in.error().what, "second needs 4 bytes, 1 left");
  EXPECT_EQ(in.error().Where(), "f.bin (byte 12)");
}

TEST(ByteReader, RefusesAnyLengthThatIsNotThere) {
  for (const uint64_t length : {4ull, 1ull << 40, ~0ull}) {
    ByteReader in("abc", "f");
    EXPECT_EQ(in.Text(length, "text"), "");
    EXPECT_FALSE(in.ok());
    EXPECT_EQ(in.left(), 3u);
  }
}

TEST(ByteReader, ReadsVarints) {
  const struct {
    std::string bytes;
    uint64_t value;
  } kRows[] = {
      {"\0"s, 0},
      {"\x7f", 127},
      {"\x80\x01", 128},
      {"\xac\x02", 300},
      {"\x80\x80\0"s, 0},  // longer than needed
      {"\xff\xff\xff\xff\xff\xff\xff\xff\x7f", INT64_MAX},
      {"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", UINT64_MAX},
  };
  for (const auto& row : kRows) {
    ByteReader in(row.bytes, "f");
    EXPECT_EQ(in.Varint("n"), row.value);
    EXPECT_TRUE(in.ok());
    EXPECT_EQ(in.left(), 0u);
  }
}

TEST(ByteReader, RefusesBadVarints) {
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "n needs 1 bytes, 0 left"},
      {"\x80\x80", "n needs 1 bytes, 0 left"},
      {std::string(10, '\xff') + '\1', "n is a number of more than 10 bytes"},
      {std::string(99, '\x80'), "n is a number of more than 10 bytes"},
  };
  for (const auto& row : kRows) {
    ByteReader in(row.bytes, "f");
    EXPECT_EQ(in.Varint("n"), 0u);
    ASSERT_FALSE(in.ok());
    EXPECT_EQ(in.error().what, row.error);
  }
}

}  // namespace
}  // namespace assay
