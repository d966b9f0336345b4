#include <gtest/gtest.h>

#include "codecs/npy_builder.h"
#include "codecs/npy_header.h"
#include "codecs/temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

TEST(Npy, ReadsEveryWayToWriteAHeader) {
  const struct {
    std::string bytes, tensor;
  } kRows[] = {
      {Npy(), "f32 [2,3]"},
      {Npy().Version(2), "f32 [2,3]"},
      {Npy().Version(3), "f32 [2,3]"},
      {Npy().Shape("()"), "f32 []"},
      {Npy().Shape("(6,)"), "f32 [6]"},
      {Npy().Shape("(2,3,)"), "f32 [2,3]"},
      {Npy().Shape("( 2L,3L )"), "f32 [2,3]"},
      {Npy().Shape("(0, 5)").Data(0), "f32 [0,5]"},
      {Npy().Data(1000), "f32 [2,3]"},  // more than needed
      {Npy().Descr("<b1"), "bool [2,3]"},
      {Npy().Descr("?"), "bool [2,3]"},
      {Npy().Descr(">f4"), "f32 [2,3] big-endian"},
      {Npy().Descr("=i4"), "i32 [2,3]"},
      {Npy().Descr("f4"), "f32 [2,3]"},
      {Npy().Descr(">i1"), "i8 [2,3]"},
      {Npy().Descr(">c16").Shape("(1,)"), "c128 [1] big-endian"},
      {Npy().Dict("{\"shape\":(6,),\"descr\":\"|u1\",\"fortran_order\":True}"),
       "u8 [6]"},
      {Npy().Dict("{ 'fortran_order' : True, 'shape' : (2 ,3) , 'descr' : "
                  "'<f4' , }  "),
       "f32 [2,3] strided"},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(SummaryOf(".npy", row.bytes), row.tensor);
}

TEST(Npy, ListsWhatCannotBeCompared) {
  for (const std::string_view descr :
       {"|S2", "<U3", "|O", "O8", "<M8[ns]", ">m8[25us]", "<f16", "<c32", "|V2",
        "|V7", "<f1"}) {
    EXPECT_EQ(SummaryOf(".npy", Npy().Descr(descr)), "opaque [2,3]") << descr;
  }
  const auto record = ListBytes(
      ".npy", Npy().Dict("{'descr': [('x)', '<f4'), (\"y\", [('z', '<i2')])], "
                         "'fortran_order': False, 'shape': (1,)}"));
  ASSERT_TRUE(record);
  EXPECT_EQ(Summary(*record), "opaque [1]");
  EXPECT_EQ(record->tensors[0].extent.length, 24u);  // the rest of the file
}

TEST(Npy, VoidIsBf16IfTheUserSaysSo) {
  EXPECT_EQ(SummaryOf(".npy", Npy().Descr("|V2"), {.bf16_void = true}),
            "bf16 [2,3]");
  EXPECT_EQ(SummaryOf(".npy", Npy().Descr("<V2"), {.bf16_void = true}),
            "bf16 [2,3]");
  EXPECT_EQ(SummaryOf(".npy", Npy().Descr("|V4"), {.bf16_void = true}),
            "opaque [2,3]");
}

TEST(Npy, SaysWhatIsWrong) {
  const struct {
    std::string bytes, error;
  } kRows[] = {
      {"", "magic needs 6 bytes, 0 left"},
      {Npy().Cut(3), "magic needs 6 bytes, 3 left"},
      {Npy().Cut(8), "header length needs 2 bytes, 0 left"},
      {Npy().Cut(60), "header needs 60 bytes, 50 left"},
      {Npy().Data(0), "shape needs 24 bytes, 0 left"},
      {Npy().Data(23), "shape needs 24 bytes, 23 left"},
      {"something else", "not a NumPy array: the magic bytes are missing"},
      {Npy().Version(4), "npy version 4.0"},
      {Npy().Version(1, 1), "npy version 1.1"},
      {std::string("\x93NUMPY\2\0\377\377\377\377", 12),
       "the header claims 4294967295 bytes"},
      {Npy().Descr("<i3"), "NumPy has no type '<i3'"},
      {Npy().Descr(""), "NumPy has no type ''"},
      {Npy().Descr("<f4x"), "NumPy has no type '<f4x'"},
      {Npy().Descr("<f99999999999"), "NumPy has no type '<f99999999999'"},
      {Npy().Shape("(-1,)"), "the header has '-' where a dimension should be"},
      {Npy().Shape("(2 3)"), "the header has '3' where ',' or ')' should be"},
      {Npy().Shape("(,)"), "the header has ',' where a dimension should be"},
      {Npy().Shape("(9223372036854775808,)"),
       "the header has a dimension that does not fit in 63 bits"},
      {Npy().Shape("(4294967296, 4294967296)"),
       "shape [4294967296,4294967296] is larger than any file"},
      {Npy().Shape("(4611686018427387904,)"),
       "shape [4611686018427387904] is larger than any file"},
      {Npy().Shape("(288230376151711744,)"),
       "shape needs 1152921504606846976 bytes, 24 left"},
      {Npy().Dict("{}"), "the header lacks 'descr'"},
      {Npy().Dict("{'descr': '<f4', 'shape': ()}"),
       "the header lacks 'fortran_order'"},
      {Npy().Dict("{'descr': '<f4', 'descr': '<f4'}"),
       "the header has 'descr' twice"},
      {Npy().Dict("{'colour': 3}"), "the header has an unknown key 'colour'"},
      {Npy().Dict("{'descr"), "the header has a word without end"},
      {Npy().Dict("{'descr': [('a', '<f4')"),
       "the header has a list without end"},
      {Npy().Dict("{'fortran_order': 1}"),
       "the header has '1' where True or False should be"},
      {Npy().Dict("nothing"), "the header has 'n' where '{' should be"},
      {Npy().Dict("\x01"), "the header has byte 0x01 where '{' should be"},
      {Npy().Dict("{'descr': '<f4', 'shape': (), 'fortran_order': False} x"),
       "the header has 'x' where nothing more should be"},
      {Npy().Dict(std::string(5000, '[')),
       "the header has '[' where '{' should be"},
      {Npy().Dict("{'descr': " + std::string(5000, '[')),
       "the header has a list without end"},
  };
  for (const auto& row : kRows)
    EXPECT_EQ(ErrorOf(".npy", row.bytes), row.error);
}

TEST(Npy, AnErrorHasPlaceAndHint) {
  const TempFile file(".npy", Npy().Data(12));
  const auto listing = ListFile(file.path(), {});
  ASSERT_FALSE(listing);
  EXPECT_EQ(listing.error().Text(),
            "assay: shape needs 24 bytes, 12 left\n  in    " + file.path() +
                " (byte 70)\n  hint  the file looks truncated; was the dump "
                "interrupted?\n");
}

TEST(Npy, AnArchiveUnderItsNameIsReadAsOne) {
  EXPECT_EQ(ErrorOf(".npy", "PK\5\6"), "magic needs 6 bytes, 4 left");
  const auto error = ListBytes(".npy", "PK\3\4 and so on");
  ASSERT_FALSE(error);
  EXPECT_EQ(error.error().hint,
            "it is a zip archive; should it be named .npz?");
}

TEST(Npy, WritesWhatNumpyWrites) {
  const struct {
    DType dtype;
    Shape shape;
    std::string dict;
  } kRows[] = {
      {DType::kF32,
       {2, 3},
       "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }"},
      {DType::kBool,
       {5},
       "{'descr': '|b1', 'fortran_order': False, 'shape': (5,), }"},
      {DType::kC128,
       {},
       "{'descr': '<c16', 'fortran_order': False, 'shape': (), }"},
  };
  for (const auto& row : kRows) {
    const auto header = NpyHeader(row.dtype, row.shape);
    ASSERT_TRUE(header);
    EXPECT_EQ(header->size() % 64, 0u);
    EXPECT_EQ(header->substr(10, row.dict.size()), row.dict);
    EXPECT_EQ(header->back(), '\n');
  }
  EXPECT_EQ(NpyHeader(DType::kBF16, {1}).error().what,
            "NumPy has no type for bf16");
}

TEST(Npy, WritesTheSampleByteForByte) {
  const std::string sample = ReadAll(TestData("codecs/f4.npy"));
  const TempFile file(".npy");
  auto out = OutputFile::Create(file.path());
  ASSERT_TRUE(out);
  TensorToWrite tensor = ToWrite("", DType::kF32, {2, 3}, sample.substr(128));
  ASSERT_TRUE(FindCodec("npy")->write({&tensor, 1}, *out));
  ASSERT_TRUE(out->Commit());
  EXPECT_EQ(ReadAll(file.path()), sample);
}

TEST(Npy, NoticesMissingValues) {
  const TempFile file(".npy");
  auto out = OutputFile::Create(file.path());
  ASSERT_TRUE(out);
  TensorToWrite tensor = ToWrite("w", DType::kF32, {2, 3}, "short");
  EXPECT_EQ(FindCodec("npy")->write({&tensor, 1}, *out).error().what,
            "24 bytes to write, 5 came");
}

}  // namespace
}  // namespace assay
