#include <gtest/gtest.h>

#include "codecs/temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kFolder = TestData("codecs/");

// A file as the library writes it; what is not given is right.
struct Atb {
  std::string format = "2", dtype = "0", dims = "2,3";
  std::string more = {};  // lines before $End
  size_t bytes = 24;

  operator std::string() const {
    return fmt::format(
               "$Version=1.0\n$Object.Count=1\n$Object.Length={0}\nformat={1}\n"
               "dtype={2}\ndims={3}\n$Object.data=0,{0}\n{4}$End=1\n",
               bytes, format, dtype, dims, more) +
           std::string(bytes, 'v');
  }
};

TEST(Atb, ReadsTheSamples) {
  const struct {
    std::string file, tensor;
    Layout layout;
    std::string first;  // bytes of the values
  } kRows[] = {
      {"atb_nz.bin", "f32 [1,1,16,16]", Layout::kFractalNZ,
       std::string("\0\0\0\0\0\0\x80?", 8)},
      {"atb_i64.bin", "i64 [3]", Layout::kND, "\1"},
      {"atb_bool.bin", "bool [2,2]", Layout::kND, std::string("\1\0\0\1", 4)},
      {"atb_u8.bin", "u8 [3]", Layout::kND, "\1\2\xff"},
      {"atb_f16.bin", "f16 [2,3]", Layout::kND, std::string("\0<\0@", 4)},
      {"atb_bf16.bin", "bf16 [4]", Layout::kND, std::string("\x80?\0\xc0", 4)},
  };
  for (const auto& row : kRows) {
    const auto listing = ListFile(kFolder + row.file, {});
    ASSERT_TRUE(listing) << listing.error().Text();
    EXPECT_EQ(listing->codec->name, "atb");
    EXPECT_EQ(Summary(*listing), row.tensor);
    const StoredTensor& tensor = listing->tensors[0];
    EXPECT_EQ(tensor.layout, row.layout);
    const std::string file = ReadAll(kFolder + row.file);
    EXPECT_EQ(tensor.extent.offset + tensor.extent.length, file.size());
    EXPECT_TRUE(file.substr(tensor.extent.offset).starts_with(row.first));
  }
}

TEST(Atb, KnowsTheTypesOfGraphs) {
  const struct {
    int number;
    std::string name;
    size_t bytes;  // of two values
  } kRows[] = {
      {0, "f32", 8},     {1, "f16", 4},     {2, "i8", 2},    {3, "i32", 8},
      {4, "u8", 2},      {6, "i16", 4},     {7, "u16", 4},   {8, "u32", 8},
      {9, "i64", 16},    {10, "u64", 16},   {11, "f64", 16}, {12, "bool", 2},
      {16, "c64", 16},   {17, "c128", 32},  {27, "bf16", 4}, {29, "i4", 1},
      {30, "u1", 1},     {33, "c32", 8},    {34, "hif8", 2}, {35, "f8e5m2", 2},
      {36, "f8e4m3", 2}, {37, "f8e8m0", 2},
  };
  for (const auto& row : kRows) {
    const Atb atb{.dtype = fmt::format("{}", row.number),
                  .dims = "2",
                  .bytes = row.bytes};
    EXPECT_EQ(SummaryOf(".bin", atb), row.name + " [2]");
  }
}

TEST(Atb, ReadsOtherHeaders) {
  const std::string any = Atb();
  const struct {
    std::string suffix, bytes, tensor;
  } kRows[] = {
      {".x", any, "f32 [2,3]"},
      {".bin", Atb{.format = "-1"}, "f32 [2,3]"},
      {".bin", Atb{.dims = "0,3", .bytes = 0}, "f32 [0,3]"},
      {".bin", Atb{.dims = "", .bytes = 4}, "f32 []"},
      {".bin", Atb{.more = "$New=1\nname=x\n"}, "f32 [2,3]"},
      {".bin", "$Version=2\ndims=1\ndtype=2\nformat=0\n$End=\nx", "i8 [1]"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(SummaryOf(row.suffix, row.bytes), row.tensor);
  }
  EXPECT_EQ(SummaryOf(".bin", any, {.dtype = DType::kU8}), "f32 [2,3]");
}

TEST(Atb, SaysWhatIsWrong) {
  const std::string once = Atb(), start = "$Version=1.0\n";
  const std::string long_line = start + "x=" + std::string(5000, 'v');
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {Atb{.bytes = 23}, "f32 [2,3] needs 24 bytes, 23 there"},
      {Atb{.bytes = 25}, "f32 [2,3] needs 24 bytes, 25 there"},
      {once + once,
       fmt::format("f32 [2,3] needs 24 bytes, {} there: the file was written "
                   "twice",
                   24 + once.size())},
      {Atb{.dtype = "13"}, "dtype 13 (STRING) is not understood"},
      {Atb{.dtype = "28"}, "dtype 28 (UNDEFINED) is not understood"},
      {Atb{.dtype = "5"}, "dtype 5 is not understood"},
      {Atb{.dtype = "99999999999"}, "dtype 99999999999 is not understood"},
      {Atb{.dtype = "f32"}, "dtype is 'f32', not a number"},
      {Atb{.format = "52"}, "format 52 is not understood"},
      {Atb{.format = "258"}, "format 258 is not understood"},
      {Atb{.format = ""}, "format is '', not a number"},
      {Atb{.dims = "2,-3"}, "dims are '2,-3'"},
      {Atb{.dims = "2,3,"}, "dims are '2,3,'"},
      {Atb{.dims = "4611686018427387904,4611686018427387904"},
       "dims are '4611686018427387904,4611686018427387904'"},
      {Atb{.dims = "4611686018427387904"},
       "dims [4611686018427387904] are too large"},
      {Atb{.more = "text\n"}, "a header line without exactly one '='"},
      {Atb{.more = "a=b=c\n"}, "a header line without exactly one '='"},
      {Atb{.more = "dims=1\n"}, "the header has 'dims' twice"},
      {start + "$End=1\n", "the header has no dtype"},
      {start + "dtype=0\n$End=1\n", "the header has no format"},
      {start + "dtype=0\nformat=0\n$End=1\n", "the header has no dims"},
      {start, "the header does not end within 13 bytes"},
      {start + "$End=1", "the header does not end within 19 bytes"},
      {long_line, "the header does not end within 4096 bytes"},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(ErrorOf(".bin", row.bytes), row.error);
}

TEST(Atb, AnErrorHasItsPlace) {
  const auto line = ListBytes(".bin", Atb{.dtype = "13"});
  ASSERT_FALSE(line);
  EXPECT_EQ(line.error().line, 5u);
  const auto byte = ListBytes(".bin", Atb{.bytes = 23});
  ASSERT_FALSE(byte);
  EXPECT_EQ(byte.error().offset, std::string(Atb{.bytes = 23}).size() - 23);
  const auto twice = ListBytes(".bin", std::string(Atb()) + std::string(Atb()));
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().hint,
            "dumps are appended; remove the folder and dump again");
}

TEST(Atb, AnAliasNamesTheOtherFile) {
  const auto alias = ListFile(kFolder + "atb_alias.bin", {});
  ASSERT_FALSE(alias);
  EXPECT_EQ(alias.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(alias.error().what, "its values are in '2_1_outtensor0.bin'");
  const std::string none = "$Version=1.0\n$Object.Count=0\n";
  EXPECT_EQ(ErrorOf(".bin", none + "$End=1\n"), "the dump left its values out");
  const TempFile file(".bin");
  const std::string self = file.path().substr(file.path().rfind('/') + 1);
  file.Write(none + "data=" + self + "\n$End=1\n");
  EXPECT_EQ(ListFile(file.path(), {}).error().what,
            "the dump left its values out");
}

std::string Written(TensorToWrite tensor, const std::string& path) {
  auto out = OutputFile::Create(path);
  if (!out) return out.error().what;
  const Status status = FindCodec("atb")->write({&tensor, 1}, *out);
  if (!status) return status.error().what;
  return out->Commit() ? "" : "commit";
}

TEST(Atb, WritesWhatTheLibraryWrites) {
  const TempFile file(".bin");
  const std::string sample = ReadAll(kFolder + "atb_f16.bin");
  const auto listing = ListFile(kFolder + "atb_f16.bin", {});
  ASSERT_TRUE(listing);
  const std::string values = sample.substr(listing->tensors[0].extent.offset);
  EXPECT_EQ(Written(ToWrite("x", DType::kF16, {2, 3}, values), file.path()),
            "");
  EXPECT_EQ(ReadAll(file.path()), sample);

  TensorToWrite packed =
      ToWrite("x", DType::kI8, {1, 1, 16, 32}, std::string(512, 'v'));
  packed.layout = Layout::kFractalNZ;
  EXPECT_EQ(Written(packed, file.path()), "");
  const auto again = ListFile(file.path(), {});
  ASSERT_TRUE(again);
  EXPECT_EQ(Summary(*again), "i8 [1,1,16,32]");
  EXPECT_EQ(again->tensors[0].layout, Layout::kFractalNZ);

  EXPECT_EQ(Written(ToWrite("x", DType::kF32, {}, "abcd"), file.path()), "");
  EXPECT_EQ(SummaryOf(".bin", ReadAll(file.path())), "f32 [1]");
  EXPECT_EQ(Written(ToWrite("x", DType::kOpaque, {}, ""), file.path()),
            "ATB files have no opaque []");
}

TEST(Atb, HoldsEveryTypeItReadsBack) {
  for (const DTypeInfo& info : AllDTypes()) {
    if (info.type == DType::kOpaque) continue;
    ASSERT_TRUE(FindCodec("atb")->holds(info.type)) << info.name;
    const TempFile file(".bin");
    const std::string values(*ByteCount(info.type, 2), 'v');
    EXPECT_EQ(Written(ToWrite("x", info.type, {2}, values), file.path()), "");
    EXPECT_EQ(SummaryOf(".bin", ReadAll(file.path())),
              fmt::format("{} [2]", info.name));
  }
  EXPECT_FALSE(FindCodec("atb")->holds(DType::kOpaque));
}

// "bin" asks for raw values; ATB files have the same suffix.
TEST(Atb, RawFilesStayRaw) {
  EXPECT_EQ(FindCodec("bin")->name, "raw");
  EXPECT_EQ(FindCodec("raw")->name, "raw");
  EXPECT_EQ(FindCodec("atb")->name, "atb");
  EXPECT_EQ(SummaryOf(".bin", "abcd", {.dtype = DType::kU8}), "u8 [4]");
}

}  // namespace
}  // namespace assay
