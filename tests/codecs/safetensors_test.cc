#include <gtest/gtest.h>

#include "codecs/temp_file.h"

namespace assay {
namespace {

std::string Length(uint64_t length) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) {
    bytes += static_cast<char>(length >> (8 * i) & 0xff);
  }
  return bytes;
}

std::string File(const std::string& header, size_t data = 0) {
  return Length(header.size()) + header + std::string(data, 'v');
}

// A header with the tensor "a" and maybe more.
std::string A(std::string dtype, std::string shape, std::string offsets,
              std::string more = "") {
  return fmt::format(
      R"({{"a":{{"dtype":"{}","shape":{},"data_offsets":{}}}{}}})", dtype,
      shape, offsets, more);
}

constexpr const char* kB =
    R"(,"b":{"dtype":"U8","shape":[2],"data_offsets":[4,6]})";

TEST(Safetensors, ListsByOffset) {
  const struct {
    std::string bytes, tensors;
  } kRows[] = {
      {File("{}"), ""},
      {File("{}   "), ""},
      {File(A("F32", "[]", "[0,4]"), 4), "a f32 []"},
      {File(A("F32", "[2,0]", "[0,0]")), "a f32 [2,0]"},
      {File(A("BF16", "[2]", "[0,4]", kB), 6), "a bf16 [2]; b u8 [2]"},
      {File(A("I16", "[1]", "[6,8]",
              std::string(kB) + R"(,"c":{"shape":[1],"data_offsets":[0,4],)"
                                R"("dtype":"F32"})"),
            8),
       "c f32 [1]; b u8 [2]; a i16 [1]"},
      {File(R"({"__metadata__":{"x":{"y":[1,-2.5,null,true]},"z":"t"}})"), ""},
      {File(A("F4", "[3]", "[0,2]"), 2), "a opaque [3]"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(SummaryOf(".safetensors", row.bytes), row.tensors);
  }
}

TEST(Safetensors, IsKnownByContent) {
  EXPECT_EQ(SummaryOf(".x", File(A("U8", "[2]", "[0,2]"), 2)), "a u8 [2]");
  EXPECT_EQ(SummaryOf(".x", Length(100) + "{}"), "");  // longer than the file
}

TEST(Safetensors, SaysWhatIsWrong) {
  const std::string deep(20, '[');
  std::string dims = "[0";
  for (int i = 0; i < 300; ++i) dims += ",0";
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "header length needs 8 bytes, 0 left"},
      {Length(1ull << 60) + "{}",
       "the header claims 1152921504606846976 bytes"},
      {Length(50) + "{}", "the header needs 50 bytes, 2 left"},
      {File("{\"a\""), "the header is not JSON"},
      {File("{} x"), "the header is not JSON"},
      {File("{\"\xff\":{}}"), "the header is not JSON"},
      {File("[]"), "the header is a list"},
      {File("3"), "the header is a number"},
      {File("{\"a\":3}"), "tensor 'a' is a number"},
      {File("{\"a\":{}}"), "tensor 'a' has no dtype"},
      {File(R"({"a":{"dtype":"U8"}})"), "tensor 'a' has no shape"},
      {File(R"({"a":{"dtype":"U8","shape":[]}})"),
       "tensor 'a' has no data_offsets"},
      {File(R"({"a":{"dtype":"U8","dtype":"F32"}})"),
       "tensor 'a' has 'dtype' twice"},
      {File(R"({"a":{"x":{}}})"), "tensor 'a' is nested too deeply"},
      {File("{\"__metadata__\":{\"a\":" + deep),
       "tensor '__metadata__' is nested too deeply"},
      {File(A("F99", "[]", "[0,4]"), 4),
       "tensor 'a' has an unknown dtype 'F99'"},
      {File(A("F32", "4", "[0,4]"), 4), "tensor 'a' has a number in 'shape'"},
      {File(A("F32", "[-1]", "[0,4]"), 4), "tensor 'a' has -1 in it"},
      {File(A("F32", "[1.5]", "[0,4]"), 4), "tensor 'a' has 1.5 in it"},
      {File(A("F32", "[1e3]", "[0,4]"), 4), "tensor 'a' has 1e3 in it"},
      {File(A("F32", "[18446744073709551615]", "[0,4]"), 4),
       "tensor 'a' has 18446744073709551615 in it"},
      {File(A("F32", dims + "]", "[0,4]"), 4),
       "tensor 'a' has too many dimensions"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ErrorOf(".safetensors", row.bytes), row.error);
  }
}

TEST(Safetensors, EveryByteBelongsToOneTensor) {
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {File(A("F32", "[4294967296,4294967296]", "[0,4]"), 4),
       "shape [4294967296,4294967296] is too large"},
      {File(A("F32", "[]", "[4,0]"), 4),
       "tensor 'a' has data_offsets that are no range"},
      {File(A("F32", "[]", "[0]"), 4),
       "tensor 'a' has data_offsets that are no range"},
      {File(A("F32", "[2]", "[0,4]"), 4),
       "f32 [2] needs 8 bytes, its data_offsets have 4"},
      {File(A("F32", "[2]", "[0,8]"), 4),
       "data_offsets end at 8, 4 bytes there"},
      {File(A("F32", "[]", "[2,6]"), 6),
       "the 2 bytes before it belong to no tensor"},
      {File(A("U8", "[5]", "[0,5]", kB), 6),
       "its first 1 bytes belong to another tensor too"},
      {File(A("F32", "[]", "[0,4]"), 9),
       "the last 5 bytes belong to no tensor"},
      {File(A("U8", "[]", "[0,1]",
              R"(,"a":{"dtype":"U8","shape":[],"data_offsets":[1,2]})"),
            2),
       "the header has 'a' twice"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ErrorOf(".safetensors", row.bytes), row.error);
  }
}

std::string Written(std::vector<TensorToWrite> tensors,
                    const std::string& path) {
  auto out = OutputFile::Create(path);
  if (!out) return out.error().what;
  const Status status = FindCodec("safetensors")->write(tensors, *out);
  if (!status) return status.error().what;
  return out->Commit() ? "" : "commit";
}

TEST(Safetensors, ReadsWhatItWrites) {
  const TempFile file(".safetensors");
  ASSERT_EQ(Written({ToWrite("w \"1\"", DType::kBF16, {2}, "abcd"),
                     ToWrite("none", DType::kF32, {0}, ""),
                     ToWrite("f8", DType::kF8E4M3, {}, "e")},
                    file.path()),
            "");
  const auto listing = ListFile(file.path(), {});
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_EQ(Summary(*listing), "w \"1\" bf16 [2]; none f32 [0]; f8 f8e4m3 []");
  EXPECT_EQ(listing->tensors[0].extent.offset % 8, 0u);
  EXPECT_TRUE(ReadAll(file.path()).ends_with("abcde"));
}

TEST(Safetensors, RefusesToWrite) {
  const TempFile file(".safetensors");
  const struct {
    std::string name, error;
    DType dtype;
  } kRows[] = {
      {"a", "safetensors has no type for hif8", DType::kHiF8},
      {"\xff", "the name is not UTF-8", DType::kU8},
      {"__metadata__", "the name '__metadata__' is taken", DType::kU8},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Written({ToWrite(row.name, row.dtype, {}, "x")}, file.path()),
              row.error);
  }
}

}  // namespace
}  // namespace assay
