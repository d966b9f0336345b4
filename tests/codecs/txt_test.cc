// Text against what NumPy writes.
#include <gtest/gtest.h>

#include "codecs/temp_file.h"
#include "temp_tree.h"

namespace assay {
namespace {

template <typename T>
std::string Bytes(std::vector<T> values) {
  return {reinterpret_cast<const char*>(values.data()),
          values.size() * sizeof(T)};
}

std::string Text(std::string_view codec, DType dtype, Shape shape,
                 std::string bytes) {
  const TempTree tree;
  auto out = OutputFile::Create(tree / "x.txt");
  TensorToWrite tensor =
      ToWrite("x", dtype, std::move(shape), std::move(bytes), 16 * 3);
  const Status status = FindCodec(codec)->write({&tensor, 1}, *out);
  EXPECT_TRUE(status) << status.error().Text();
  EXPECT_TRUE(out->Commit());
  return Content(tree / "x.txt");
}

TEST(Txt, SaysWhatItIs) {
  EXPECT_EQ(
      Text("txt", DType::kF32, {2, 2}, Bytes<float>({1, -0.1f, 2, 1e30f})),
      "# shape [2,2]\n# dtype f32\n1\n-0.1\n2\n1e+30\n");
  EXPECT_EQ(Text("txt", DType::kI64, {1}, Bytes<int64_t>({INT64_MIN})),
            "# shape [1]\n# dtype i64\n-9223372036854775808\n");
  EXPECT_EQ(Text("txt", DType::kU64, {}, Bytes<uint64_t>({UINT64_MAX})),
            "# shape []\n# dtype u64\n18446744073709551615\n");
  EXPECT_EQ(Text("txt", DType::kI4, {3}, "\xf1\x02"),
            "# shape [3]\n# dtype i4\n1\n-1\n2\n");
  EXPECT_EQ(Text("txt", DType::kC64, {1}, Bytes<float>({1, -2.5})),
            "# shape [1]\n# dtype c64\n(1-2.5j)\n");
  EXPECT_EQ(Text("txt", DType::kF64, {0}, ""), "# shape [0]\n# dtype f64\n");
  // 2^-16, which doubles read back exactly; NumPy has no such type.
  EXPECT_EQ(Text("txt", DType::kF8E5M2, {1}, "\1"),
            "# shape [1]\n# dtype f8e5m2\n1.52587890625e-05\n");
}

// numpy.savetxt with its default format, digit by digit.
TEST(Txt, PlainIsSavetxt) {
  EXPECT_EQ(
      Text("txt-plain", DType::kF32, {3}, Bytes<float>({0.1f, -INFINITY, NAN})),
      "1.000000014901161194e-01\n-inf\nnan\n");
  EXPECT_EQ(Text("txt-plain", DType::kI32, {2}, Bytes<int32_t>({-7, 0})),
            "-7.000000000000000000e+00\n0.000000000000000000e+00\n");
  EXPECT_EQ(Text("txt-plain", DType::kBool, {2}, std::string("\1\0", 2)),
            "1.000000000000000000e+00\n0.000000000000000000e+00\n");
  EXPECT_EQ(Text("txt-plain", DType::kC64, {2}, Bytes<float>({1, -2, 0, 3})),
            " (1.000000000000000000e+00-2.000000000000000000e+00j)\n"
            " (0.000000000000000000e+00+3.000000000000000000e+00j)\n");
  // 0/0 of x86 has a sign, which NumPy does not write.
  EXPECT_EQ(Text("txt-plain", DType::kF32, {1}, Bytes<float>({-NAN})), "nan\n");
  EXPECT_EQ(Text("txt-plain", DType::kC64, {1}, Bytes<float>({-NAN, -NAN})),
            " (nan+nanj)\n");
}

}  // namespace
}  // namespace assay
