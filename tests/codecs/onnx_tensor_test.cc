#include <gtest/gtest.h>

#include "codecs/temp_file.h"

namespace assay {
namespace {

std::string Varint(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) {
    bytes += static_cast<char>((value & 0x7f) | 0x80);
  }
  return bytes + static_cast<char>(value);
}
std::string Number(int field, uint64_t value) {
  return Varint(field << 3) + Varint(value);
}
std::string Bytes(int field, const std::string& bytes) {
  return Varint(field << 3 | 2) + Varint(bytes.size()) + bytes;
}
// dims [2] and a data type.
std::string Two(int type) { return Number(1, 2) + Number(2, type); }
std::string Raw(size_t bytes) { return Bytes(9, std::string(bytes, 'v')); }

TEST(Onnx, ReadsEveryDataType) {
  const struct {
    int type;
    std::string name;
    size_t bytes;  // of two values
  } kRows[] = {
      {1, "f32", 8},     {2, "u8", 2},     {3, "i8", 2},      {4, "u16", 4},
      {5, "i16", 4},     {6, "i32", 8},    {7, "i64", 16},    {9, "bool", 2},
      {10, "f16", 4},    {11, "f64", 16},  {12, "u32", 8},    {13, "u64", 16},
      {14, "c64", 16},   {15, "c128", 32}, {16, "bf16", 4},   {17, "f8e4m3", 2},
      {19, "f8e5m2", 2}, {22, "i4", 1},    {24, "f8e8m0", 2},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(SummaryOf(".pb", Two(row.type) + Raw(row.bytes)),
              row.name + " [2]");
    EXPECT_EQ(ErrorOf(".pb", Two(row.type) + Raw(row.bytes + 1)),
              fmt::format("dims [2] need {} bytes, {} there", row.bytes,
                          row.bytes + 1));
  }
}

TEST(Onnx, ReadsValuesInTheirOwnFields) {
  const std::string two = Varint(1) + Varint(~0ull);
  const struct {
    std::string bytes, tensor;
    Encoding encoding;
  } kRows[] = {
      {Two(1) + Bytes(4, "abcdefgh"), "f32 [2]", Encoding::kRaw},
      {Two(11) + Bytes(10, std::string(16, 'v')), "f64 [2]", Encoding::kRaw},
      {Two(6) + Bytes(5, two), "i32 [2]", Encoding::kVarint},
      {Two(10) + Bytes(5, two), "f16 [2]", Encoding::kVarint},
      {Two(17) + Bytes(5, two), "f8e4m3 [2]", Encoding::kVarint},
      {Two(7) + Bytes(7, two), "i64 [2]", Encoding::kVarint},
      {Two(12) + Bytes(11, two), "u32 [2]", Encoding::kVarint},
      {Two(8) + Bytes(6, "a") + Bytes(6, ""), "opaque [2]", Encoding::kRaw},
      {Raw(8) + Two(1), "f32 [2]", Encoding::kRaw},
      {Bytes(1, Varint(1) + Varint(2)) + Number(2, 1) + Raw(8) + Bytes(8, "w"),
       "w f32 [1,2]", Encoding::kRaw},
      {Number(2, 1) + Raw(4), "f32 []", Encoding::kRaw},
      {Number(1, 0) + Number(2, 1), "f32 [0]", Encoding::kRaw},
      {Two(1) + Raw(8) + Bytes(12, "doc") + Bytes(16, "") + Number(14, 0),
       "f32 [2]", Encoding::kRaw},
  };
  for (const auto& row : kRows) {
    const auto listing = ListBytes(".pb", row.bytes);
    ASSERT_TRUE(listing) << row.tensor << listing.error().Text();
    EXPECT_EQ(Summary(*listing), row.tensor);
    EXPECT_EQ(listing->tensors[0].extent.encoding, row.encoding);
  }
}

TEST(Onnx, SaysWhatIsWrong) {
  const std::string model =
      "this is a whole model (ONNX or TensorFlow), not a tensor";
  const std::string entry = Bytes(1, "location") + Bytes(2, "../../w.bin");
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "not an ONNX tensor: it has no data_type"},
      {Two(1), "dims [2] need 8 bytes, 0 there"},
      {Two(1) + Raw(8).substr(0, 5), "raw_data needs 8 bytes, 3 left"},
      {"\x08", "dims needs 1 bytes, 0 left"},
      {"\x0b", "no protobuf field begins here"},
      {std::string(11, '\xff'), "field tag is a number of more than 10 bytes"},
      {Number(1, ~0ull) + Number(2, 1), "dims [-1] are impossible"},
      {Number(1, 1ull << 62) + Number(2, 1) + Raw(8),
       "dims [4611686018427387904] are impossible"},
      {Two(0) + Raw(8), "data_type 0 is not one of ONNX"},
      {Two(99) + Raw(8), "data_type 99 is not one of ONNX"},
      {Two(18) + Raw(2), "values of type float8e4m3fnuz"},
      {Two(21) + Raw(1), "values of type uint4"},
      {Two(1) + Number(3, 1),
       "not an ONNX tensor: segment has the wrong wire "
       "type"},
      {Two(1) + Bytes(3, ""), "this is a segment of a larger tensor"},
      {Two(1) + Bytes(30, ""), "not an ONNX tensor: it has a field 30"},
      {Two(1) + Bytes(15, ""), "not an ONNX tensor: it has a field 15"},
      {Two(1) + "\x25"
                "abcd",
       "the values of float_data are not packed"},
      {Two(7) + Number(7, 5), "the values of int64_data are not packed"},
      {Two(1) + Raw(4) + Raw(4),
       "the values are in several parts, raw_data and raw_data"},
      {Two(1) + Bytes(5, "ab"), "values of type float in int32_data"},
      {Two(6) + Bytes(5, "a"), "dims [2] need 2 values, 1 there"},
      {Two(6) + Bytes(5, "a\xff"), "value 1 has no end"},
      {Two(6) + Bytes(5, std::string(20, '\xff')), "value 0 has no end"},
      {Two(22) + Bytes(5, "a"), "values of type int4 in int32_data"},
      {Two(8) + Bytes(6, "a"), "dims [2] need 2 strings, 1 there"},
      {Two(1) + Bytes(13, entry) + Number(14, 1),
       "the values are in another file, '../../w.bin'"},
      {Two(1) + Number(14, 1), "the values are in another file, ''"},
      {Number(1, 8) + Bytes(2, "pytorch") + Bytes(7, "graph"), model},
      {Number(1, 8) + Bytes(7, "graph") + Bytes(8, "opset"), model},
      {Bytes(1, std::string(1000, 'n')),
       "not an ONNX tensor: dims takes 1000 bytes"},
      {Bytes(1, std::string(100, 'n')),
       "not an ONNX tensor: it has more than 64 dims"},
  };
  for (const auto& row : kRows) EXPECT_EQ(ErrorOf(".pb", row.bytes), row.error);
}

// Numbers that end beyond the first piece read are counted too.
TEST(Onnx, CountsManyValues) {
  std::string values;
  for (int i = 0; i < 50000; ++i) values += Varint(300 + i);
  const std::string bytes =
      Number(1, 50000) + Number(2, 7) + Bytes(7, values) + Bytes(8, "w");
  EXPECT_EQ(SummaryOf(".pb", bytes), "w i64 [50000]");
}

}  // namespace
}  // namespace assay
