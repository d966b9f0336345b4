#include <gtest/gtest.h>

#include "codecs/ascend_builder.h"
#include "codecs/temp_file.h"

namespace assay {
namespace {

std::string Written(std::vector<TensorToWrite> tensors,
                    const std::string& path) {
  auto out = OutputFile::Create(path);
  if (!out) return out.error().what;
  const Status status = FindCodec("ascend")->write(tensors, *out);
  if (!status) return status.error().what;
  return out->Commit() ? "" : "commit";
}

TEST(AscendWrite, WritesTheseBytes) {
  const TempFile file(".x");
  auto tensor = ToWrite("output:0", DType::kBool, {2, 3}, "abcdef");
  tensor.original = Shape{2, 3};
  ASSERT_EQ(Written({tensor}, file.path()), "");
  const std::string header =
      kVersion2 +
      ProtoBytes(3, ProtoNumber(1, 11) + ProtoNumber(2, 2) +
                        ProtoBytes(3, ProtoShape({2, 3})) + ProtoNumber(6, 6) +
                        ProtoBytes(7, ProtoShape({2, 3})));
  EXPECT_EQ(ReadAll(file.path()), Little(header.size(), 8) + header + "abcdef");
}

TEST(AscendWrite, ReadsWhatItWrites) {
  const TempFile file(".x");
  auto weights = ToWrite("output:1", DType::kF16, {4, 1, 16, 16},
                         std::string(2048, 'w'), 1000);
  weights.layout = Layout::kFractalZ;
  weights.original = Shape{5, 3, 2, 2};
  weights.groups = 2;
  auto image = ToWrite("input:0", DType::kF32, {1, 1, 1, 2}, "12345678");
  image.layout = Layout::kNCHW;
  ASSERT_EQ(Written({ToWrite("loss", DType::kF64, {}, "abcdefgh"), weights,
                     ToWrite("output:0", DType::kI4, {3}, "xy"), image,
                     ToWrite("other", DType::kU8, {0}, "")},
                    file.path()),
            "");
  const auto listing = ListFile(file.path(), {});
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_EQ(Summary(*listing),
            "input:0 f32 [1,1,1,2]; output:0 i4 [3]; "
            "output:1 f16 [4,1,16,16]; output:2 f64 []; output:3 u8 [0]");
  const auto& tensors = listing->tensors;
  EXPECT_EQ(tensors[0].layout, Layout::kNCHW);
  EXPECT_EQ(tensors[0].original, std::nullopt);
  EXPECT_EQ(tensors[2].layout, Layout::kFractalZ);
  EXPECT_EQ(tensors[2].original, (Shape{5, 3, 2, 2}));
  EXPECT_EQ(tensors[2].groups, 2);
  const std::string bytes = ReadAll(file.path());
  EXPECT_EQ(bytes.substr(tensors[0].extent.offset, 10), "12345678xy");
  EXPECT_EQ(tensors[3].extent.offset + 8, bytes.size());
  EXPECT_TRUE(bytes.ends_with("abcdefgh"));
}

// Other tensors of such a name have a type or a shape to keep.
TEST(AscendWrite, BuffersAndSpacesStayWhatTheyAre) {
  const TempFile file(".x");
  ASSERT_EQ(Written({ToWrite("space:0", DType::kU8, {4}, "log!"),
                     ToWrite("buffer:1", DType::kU8, {2}, "L1"),
                     ToWrite("output:0", DType::kI8, {1}, "o"),
                     ToWrite("buffer:0", DType::kI8, {2}, "ab")},
                    file.path()),
            "");
  const std::string bytes = ReadAll(file.path());
  const std::string header =
      kVersion2 + Output(3, {1}, 1) + Output(3, {2}, 2) + ProtoBytes(5, "") +
      ProtoBytes(5, ProtoNumber(3, 2)) + ProtoBytes(8, ProtoNumber(3, 4));
  EXPECT_EQ(bytes, Little(header.size(), 8) + header + "oabL1log!");
}

TEST(AscendWrite, HoldsEveryTypeButOpaque) {
  const Codec& codec = *FindCodec("ascend");
  for (const DTypeInfo& info : AllDTypes()) {
    EXPECT_EQ(codec.holds(info.type), info.type != DType::kOpaque);
    if (info.type == DType::kOpaque) continue;
    const TempFile file(".x");
    const std::string values(info.bits, 'v');  // of 8 elements
    ASSERT_EQ(Written({ToWrite("x", info.type, {8}, values)}, file.path()), "");
    const auto listing = ListFile(file.path(), {});
    ASSERT_TRUE(listing) << listing.error().Text();
    EXPECT_EQ(Summary(*listing), fmt::format("output:0 {} [8]", info.name));
  }
}

TEST(AscendWrite, AMissingNumberLeavesItsPlaceEmpty) {
  const TempFile file(".x");
  ASSERT_EQ(Written({ToWrite("input:2", DType::kU8, {1}, "x")}, file.path()),
            "");
  const auto listing = ListFile(file.path(), {});
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_EQ(Summary(*listing),
            "input:0 i8 [0]; input:1 i8 [0]; input:2 u8 [1]");
}

TEST(AscendWrite, RefusesToWrite) {
  const TempFile file(".x");
  EXPECT_EQ(Written({ToWrite("input:1", DType::kU8, {}, "x"),
                     ToWrite("input:1", DType::kU8, {}, "x")},
                    file.path()),
            "the name 'input:1' is taken");
  EXPECT_EQ(Written({ToWrite("x", DType::kOpaque, {}, "")}, file.path()),
            "it has no numbers");
  EXPECT_EQ(
      Written({ToWrite("x", DType::kF32, {1ll << 62, 8}, "")}, file.path()),
      "shape [4611686018427387904,8] is too large");
  EXPECT_EQ(Written({ToWrite("x", DType::kF32, {2}, "short")}, file.path()),
            "8 bytes to write, 5 came");
}

}  // namespace
}  // namespace assay
