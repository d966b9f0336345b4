#include <gtest/gtest.h>

#include "codecs/ascend_builder.h"
#include "codecs/temp_file.h"

namespace assay {
namespace {

std::string Tag(uint32_t tag, const std::string& bytes) {
  return Little(tag, 4) + Little(bytes.size(), 4) + bytes;
}
std::string Dims(uint32_t tag, const std::vector<uint64_t>& dims) {
  std::string bytes;
  for (const uint64_t dim : dims) bytes += Little(dim, 8);
  return Tag(tag, bytes);
}

// Data types count as in graphs: 0 is f32, 1 f16.
std::string Record(uint32_t type, uint32_t format, uint64_t size,
                   const std::string& tags, bool output) {
  return Little(type, 4) + Little(format, 4) + Little(0, output ? 16 : 4) +
         Little(0, 16) + Little(size, 8) + Little(tags.size(), 4) + tags;
}
std::string In(uint32_t type, uint64_t size, const std::string& tags) {
  return Record(type, 2, size, tags, false);
}
std::string Out(uint32_t type, uint64_t size, const std::string& tags,
                uint32_t format = 2) {
  return Record(type, format, size, tags, true);
}
std::string List(uint32_t tag, uint32_t count, const std::string& records) {
  return Tag(tag, Little(count, 4) + records);
}

std::string Nano(const std::string& lists, size_t values) {
  const std::string header = "ZZZZ" + Little(0, 4) + lists;
  return Little(header.size(), 8) + header + std::string(values, 'v');
}

TEST(AscendNano, ListsInputsThenOutputs) {
  const std::string two = Dims(0, {2});
  const struct {
    std::string bytes, tensors;
  } kRows[] = {
      {Nano(List(4, 1, In(1, 4, two)) + List(5, 1, Out(0, 8, two)), 12),
       "input:0 f16 [2]; output:0 f32 [2]"},
      {Nano(List(5, 2,
                 Out(3, 8, two + Dims(1, {2, 1}) + Tag(2, "name")) +
                     Out(29, 1, two)),
            9),
       "output:0 i32 [2]; output:1 i4 [2]"},
      {Nano(List(4, 1, In(9, 20, "")), 20), "input:0 i64 [2]"},  // no dims
      {Nano(List(4, 1, In(28, 5, two)), 5), "input:0 i8 [5]"},
      {Nano(List(4, 1, In(13, 5, two)), 5), "input:0 opaque [2]"},
      {Nano(List(4, 1, In(5, 5, two)), 5), "input:0 opaque []"},
      {Nano(List(4, 1, In(1, 3, two)), 3), "input:0 opaque [2]"},
      {Nano("", 0), ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(SummaryOf(".x", row.bytes), row.tensors);
  }
}

TEST(AscendNano, KeepsTheLayout) {
  const auto listing = ListBytes(
      ".x",
      Nano(List(5, 1,
                Out(1, 2048, Dims(0, {4, 1, 16, 16}) + Dims(1, {5, 3, 2, 2}),
                    2 << 8 | 4)),
           2048));
  ASSERT_TRUE(listing) << listing.error().Text();
  const StoredTensor& tensor = listing->tensors.at(0);
  EXPECT_EQ(tensor.layout, Layout::kFractalZ);
  EXPECT_EQ(tensor.groups, 2);
  EXPECT_EQ(tensor.original, (Shape{5, 3, 2, 2}));
}

TEST(AscendNano, SaysWhatIsWrong) {
  const std::string two = Dims(0, {2});
  const std::string good = Nano(List(4, 1, In(1, 4, two)), 4);
  std::string longer = good;
  longer[0] = static_cast<char>(longer[0] + 5);
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {good + "x", "the last 1 bytes belong to no tensor"},
      {good.substr(0, good.size() - 1), "its values need 4 bytes, 3 left"},
      {longer, "the header needs 81 bytes, 80 left"},
      {good.substr(0, 13), "the header needs 76 bytes, 5 left"},
      {Little(4, 8) + "ZZZZ", "version needs 4 bytes, 0 left"},
      {Nano(List(4, 2, In(1, 4, two)), 4), "data_type needs 4 bytes, 0 left"},
      {Nano(List(4, 1u << 31, ""), 0), "the header has 2147483648 tensors"},
      {Nano(Little(4, 4) + Little(99, 4), 0), "tag needs 99 bytes, 0 left"},
      {Nano(List(4, 1, In(1, 4, Tag(0, "1234567"))), 4),
       "dims needs 8 bytes, 7 left"},
      {Nano(List(4, 1, In(1, 4, Dims(0, std::vector<uint64_t>(65, 1)))), 4),
       "a shape has more than 64 dims"},
      {Nano(List(4, 1, In(1, 4, Little(0, 4) + Little(64, 4) + "1234")), 4),
       "tag needs 64 bytes, 4 left"},
  };
  for (const auto& row : kRows) EXPECT_EQ(ErrorOf(".x", row.bytes), row.error);
}

}  // namespace
}  // namespace assay
