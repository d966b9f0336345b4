#include <gtest/gtest.h>

#include "codecs/ascend_builder.h"
#include "codecs/temp_file.h"

namespace assay {
namespace {

const std::string kName = "_0_DebugIdentity_1700000000000000";

std::string Dims(std::initializer_list<uint64_t> sizes) {
  std::string shape;
  for (const uint64_t size : sizes)
    shape += ProtoBytes(2, ProtoNumber(1, size));
  return ProtoBytes(2, shape);
}
// An event that holds a tensor.
std::string Event(const std::string& tensor) {
  return "\x09" + std::string(8, 't') +
         ProtoBytes(
             5, ProtoBytes(1, ProtoBytes(1, "net/mm") +
                                  ProtoBytes(7, "net/mm:0:DebugIdentity") +
                                  ProtoBytes(8, tensor) + ProtoBytes(9, "{}")));
}
std::string Typed(uint64_t type, size_t bytes) {
  return ProtoNumber(1, type) + Dims({2}) +
         ProtoBytes(4, std::string(bytes, 'v'));
}

TEST(Tfdbg, ReadsEveryType) {
  const struct {
    uint64_t type;
    std::string name;
    size_t bytes;  // of two values
  } kRows[] = {
      {1, "f32", 8},     {2, "f64", 16},    {3, "i32", 8},  {4, "u8", 2},
      {5, "i16", 4},     {6, "i8", 2},      {8, "c64", 16}, {9, "i64", 16},
      {10, "bool", 2},   {11, "i8", 2},     {12, "u8", 2},  {13, "i32", 8},
      {14, "bf16", 4},   {15, "i16", 4},    {16, "u16", 4}, {17, "u16", 4},
      {18, "c128", 32},  {19, "f16", 4},    {22, "u32", 8}, {23, "u64", 16},
      {24, "f8e5m2", 2}, {25, "f8e4m3", 2},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(SummaryOf(kName, Event(Typed(row.type, row.bytes))),
              "net/mm:0 " + row.name + " [2]");
  }
}

TEST(Tfdbg, IsKnownByItsContent) {
  const std::string bytes = Event(Typed(1, 8));
  EXPECT_EQ(SummaryOf("", bytes), "net/mm:0 f32 [2]");
  const auto listing = ListBytes("", bytes);
  ASSERT_TRUE(listing);
  EXPECT_EQ(bytes.substr(listing->tensors[0].extent.offset, 8), "vvvvvvvv");
}

TEST(Tfdbg, ShapesAndTensorsWithoutNumbers) {
  const struct {
    std::string tensor, summary;
  } kRows[] = {
      {ProtoNumber(1, 1) + ProtoBytes(4, "vvvv"), "f32 []"},
      {ProtoNumber(1, 1) + ProtoBytes(2, "") + ProtoBytes(4, "vvvv"), "f32 []"},
      {ProtoNumber(1, 1) + Dims({0, 3}), "f32 [0,3]"},
      {ProtoNumber(1, 1) + Dims({2, 1}) + ProtoBytes(4, "vvvvvvvv"),
       "f32 [2,1]"},
      {ProtoNumber(1, 7) + Dims({2}) + ProtoBytes(8, "a") + ProtoBytes(8, "b"),
       "opaque [2]"},
      {ProtoNumber(1, 20) + ProtoBytes(14, "handle"), "opaque []"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(SummaryOf(kName, Event(row.tensor)), "net/mm:0 " + row.summary);
  }
}

TEST(Tfdbg, SaysWhatIsWrong) {
  const std::string good = Event(Typed(1, 8));
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "an event without a tensor"},
      {std::string("\x09") + "tttttttt", "an event without a tensor"},
      {good.substr(0, good.size() - 1), "summary needs 58 bytes, 57 left"},
      {Event(Typed(1, 7)), "dims [2] need 8 bytes, 7 there"},
      {Event(ProtoNumber(1, 1) + Dims({2})), "it has no values"},
      {Event(ProtoNumber(1, 1) + Dims({2}) + ProtoBytes(5, "vvvvvvvv")),
       "the values are not in tensor_content"},
      {Event(Typed(0, 8)), "dtype 0 of TensorFlow"},
      {Event(Typed(99, 8)), "dtype 99 of TensorFlow"},
      {Event(Typed(29, 2)), "values of type int4"},
      {Event(ProtoNumber(1, 1) + Dims({~0ull})), "dims [-1] are impossible"},
      {Event(ProtoNumber(1, 1) + Dims({1ull << 62})),
       "dims [4611686018427387904] are impossible"},
      {Event(ProtoNumber(1, 1) + ProtoNumber(4, 1)),
       "tensor_content has the wrong wire type"},
      {Event(ProtoNumber(1, 1) + ProtoNumber(2, 1)),
       "tensor_shape has the wrong wire type"},
      {ProtoNumber(5, 1), "summary has the wrong wire type"},
      // A message that claims to be longer than what holds it.
      {ProtoBytes(5, ProtoVarint(1 << 3 | 2) + ProtoVarint(100) +
                         std::string(50, 'v')) +
           std::string(200, '\x08'),
       "value needs 100 bytes, 50 left"},
  };
  for (const auto& row : kRows) EXPECT_EQ(ErrorOf(kName, row.bytes), row.error);
}

TEST(Tfdbg, TooManyDims) {
  std::string shape;
  for (int i = 0; i < 65; ++i) shape += ProtoBytes(2, ProtoNumber(1, 1));
  EXPECT_EQ(ErrorOf(kName, Event(ProtoNumber(1, 1) + ProtoBytes(2, shape))),
            "more than 64 dims");
}

}  // namespace
}  // namespace assay
