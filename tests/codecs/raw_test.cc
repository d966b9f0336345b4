#include <gtest/gtest.h>

#include "codecs/temp_file.h"

namespace assay {
namespace {

TEST(Raw, TakesTypeAndShapeFromTheUser) {
  const struct {
    size_t bytes;
    CodecHints hints;
    std::string tensor;
  } kRows[] = {
      {24, {.dtype = DType::kF32}, "f32 [6]"},
      {24, {.dtype = DType::kF32, .shape = Shape{2, 3}}, "f32 [2,3]"},
      {4, {.dtype = DType::kF32, .shape = Shape{}}, "f32 []"},
      {0, {.dtype = DType::kF32}, "f32 [0]"},
      {3, {.dtype = DType::kI4}, "i4 [6]"},
      {3, {.dtype = DType::kI4, .shape = Shape{5}}, "i4 [5]"},
      {1, {.dtype = DType::kU1}, "u1 [8]"},
      {7,
       {.dtype = DType::kF32},
       "error: 7 bytes are no whole number of f32 values of 4 bytes"},
      {20,
       {.dtype = DType::kF32, .shape = Shape{2, 3}},
       "error: [2,3] of f32 needs 24 bytes, the file has 20"},
      {20,
       {.dtype = DType::kF32, .shape = Shape{1ll << 62, 4}},
       "error: [4611686018427387904,4] of f32 needs too many bytes, the file "
       "has 20"},
  };
  for (const auto& row : kRows) {
    const std::string bytes(row.bytes, 'v');
    EXPECT_EQ(SummaryOf(".bin", bytes, row.hints), row.tensor);
    EXPECT_EQ(SummaryOf(".raw", bytes, row.hints), row.tensor);
  }
}

TEST(Raw, WritesTheValuesAlone) {
  const TempFile file(".bin");
  auto out = OutputFile::Create(file.path());
  ASSERT_TRUE(out);
  TensorToWrite tensor = ToWrite("w", DType::kU8, {7}, "abcdefg");
  ASSERT_TRUE(FindCodec("bin")->write({&tensor, 1}, *out));
  ASSERT_TRUE(out->Commit());
  EXPECT_EQ(ReadAll(file.path()), "abcdefg");
}

}  // namespace
}  // namespace assay
