#include "codecs/ascend.h"

#include <gtest/gtest.h>

#include "codecs/ascend_builder.h"
#include "codecs/ascend_type.h"
#include "codecs/temp_file.h"

namespace assay {
namespace {

// As Summary, with what can be wrong with single tensors.
std::string Told(const std::string& bytes, std::string_view name = kDumpName) {
  const auto listing = ListBytes(name, bytes);
  if (!listing) {
    const Error& error = listing.error();
    return fmt::format("error: {}{}{}{}", error.what,
                       error.tensor.empty() ? "" : " of ", error.tensor,
                       error.offset ? fmt::format(" @{}", *error.offset) : "");
  }
  std::string text = Summary(*listing);
  for (const StoredTensor& tensor : listing->tensors) {
    if (!tensor.error) continue;
    EXPECT_EQ(tensor.dtype, DType::kOpaque);
    EXPECT_FALSE(tensor.error->file.empty());
    text += fmt::format("; {}: {}", tensor.error->tensor, tensor.error->what);
  }
  return text;
}

TEST(Ascend, KnowsEveryDataType) {
  const struct {
    std::string_view dtype;
    size_t bytes;  // of 8 values
  } kRows[] = {
      {"i8", 8},     {"f32", 32},   {"f16", 16},   {"i8", 8},     {"u8", 8},
      {"i16", 16},   {"u16", 16},   {"i32", 32},   {"i64", 64},   {"u32", 32},
      {"u64", 64},   {"bool", 8},   {"f64", 64},   {"opaque", 5}, {"opaque", 8},
      {"opaque", 8}, {"c64", 64},   {"c128", 128}, {"i8", 8},     {"i16", 16},
      {"i32", 32},   {"u8", 8},     {"u16", 16},   {"i64", 64},   {"opaque", 5},
      {"opaque", 5}, {"opaque", 5}, {"bf16", 16},  {"i4", 4},     {"u1", 1},
      {"opaque", 2}, {"opaque", 2}, {"c32", 32},   {"hif8", 8},   {"f8e5m2", 8},
      {"f8e4m3", 8}, {"f8e8m0", 8}, {"opaque", 6}, {"opaque", 6}, {"opaque", 4},
      {"opaque", 4}, {"opaque", 4}, {"opaque", 4},
  };
  for (int type = 0; type < 43; ++type) {
    const auto& row = kRows[type];
    const std::string bytes = Dump2(Output(type, {8}, row.bytes), row.bytes);
    EXPECT_EQ(Told(bytes), fmt::format("output:0 {} [8]", row.dtype)) << type;
    if (row.dtype != "opaque" && type != 0) {
      const size_t less = row.bytes - 1;
      EXPECT_EQ(Told(Dump2(Output(type, {8}, less), less)),
                fmt::format("output:0 opaque [8]; output:0: {} [8] needs {} "
                            "bytes, {} are there",
                            row.dtype, row.bytes, less));
    }
  }
  EXPECT_EQ(Told(Dump2(Output(43, {8}, 1), 1)),
            "output:0 opaque []; output:0: data type 43 is not known");
}

TEST(Ascend, BlocksStandInTheOrderOfTheLists) {
  const std::string bytes = Dump2(Output(3, {3}, 3) + Output(1, {}, 8) +
                                      ProtoBytes(8, ProtoNumber(3, 2)) +
                                      ProtoBytes(5, ProtoNumber(3, 5)) +
                                      Input(2, {2}, 7) + Input(4, {0, 4}, 0),
                                  25 + 4);  // more at the end does not matter
  const auto listing = ListBytes(kDumpName, bytes);
  ASSERT_TRUE(listing) << listing.error().Text();
  EXPECT_EQ(Summary(*listing),
            "input:0 f16 [2]; input:1 u8 [0,4]; output:0 i8 [3]; "
            "output:1 f32 []; buffer:0 u8 [5]; space:0 u8 [2]");
  const uint64_t begin = bytes.size() - 29;
  const std::pair<uint64_t, uint64_t> kWanted[] = {{0, 4},  {7, 0},  {7, 3},
                                                   {10, 4}, {18, 5}, {23, 2}};
  for (size_t i = 0; i < 6; ++i) {
    const Extent& extent = listing->tensors[i].extent;
    EXPECT_EQ(extent.offset - begin, kWanted[i].first) << i;
    EXPECT_EQ(extent.length, kWanted[i].second) << i;
  }
}

TEST(Ascend, TakesWhatOtherWritersWrite) {
  const std::string one_by_one =
      ProtoBytes(3, ProtoNumber(1, 3) +
                        ProtoBytes(3, ProtoNumber(1, 2) + ProtoNumber(1, 3)) +
                        ProtoNumber(6, 6));
  const std::string unknown = ProtoBytes(99, "x") + ProtoNumber(77, 1) +
                              ProtoVarint(88 << 3 | 1) + "12345678" +
                              ProtoVarint(88 << 3 | 5) + "1234";
  const std::string old =
      ProtoBytes(1, "1.0") +
      ProtoBytes(3, ProtoNumber(1, 1) + ProtoBytes(3, ProtoShape({2})) +
                        ProtoBytes(5, "12345678") + ProtoNumber(6, 8)) +
      ProtoBytes(4, ProtoNumber(1, 3) + ProtoBytes(3, ProtoShape({3})) +
                        ProtoBytes(4, "abc"));
  const struct {
    std::string bytes, told;
  } kRows[] = {
      {Dump2(one_by_one, 6), "output:0 i8 [2,3]"},
      {Dump2(unknown + Output(3, {6}, 6, unknown), 6), "output:0 i8 [6]"},
      {Dump2(Output(3, {6}, 6, ProtoBytes(5, "inside")), 6), "output:0 i8 [6]"},
      {Dump2(ProtoBytes(3, ProtoNumber(6, 4)), 4), "output:0 i8 [4]"},
      {Dump2(ProtoBytes(3, "")),
       "output:0 opaque []; output:0: i8 [] needs 1 "
       "bytes, 0 are there"},
      {Dump2(ProtoBytes(9, "log\nlog")), ""},
      {old, "input:0 i8 [3]; output:0 f32 [2]"},
      {Dump2(ProtoBytes(7, ProtoBytes(1, "a") + ProtoBytes(2, "not JSON")) +
                 Output(3, {1}, 1),
             1),
       "output:0 i8 [1]"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Told(row.bytes), row.told);
}

TEST(Ascend, SaysWhatIsWrong) {
  const std::string good = Dump2(Output(1, {2}, 8) + Input(1, {2}, 8), 16);
  const struct {
    std::string bytes, told;
  } kRows[] = {
      {"", "error: the file is empty @0"},
      {"abc", "error: header length needs 8 bytes, 3 left @0"},
      {Little(0, 8), "error: the header is empty @0"},
      {Little(0, 64), "error: the header is empty @0"},
      {Little(40, 8), "error: the header needs 40 bytes, 0 left @8"},
      {Little(40, 8) + "\x0a", "error: the header needs 40 bytes, 1 left @8"},
      {Little(2, 8) + "\xff\xff", "error: field tag needs 1 bytes, 0 left @10"},
      {Little(1, 8) + "\x0b", "error: no protobuf field begins here @8"},
      {Little(2, 8) + "\x0a\x05", "error: version needs 5 bytes, 0 left @10"},
      {Dump2(ProtoBytes(2, "x")),
       "error: dump_time has the wrong wire type @13"},
      {Dump2(ProtoBytes(6, "\xc3(")), "error: op_name is not UTF-8 @13"},
      {Dump2(ProtoBytes(7, ProtoBytes(2, "\xff"))),
       "error: value is not UTF-8 @15"},
      {Dump2(ProtoBytes(3, ProtoBytes(1, "x"))),
       "error: data_type has the wrong wire type of output:0 @15"},
      {Dump2(Input(1, {}, 4) + ProtoBytes(4, "\x1a\x09")),
       "error: shape needs 9 bytes, 0 left of input:1 @29"},
      {Dump2(ProtoBytes(3, ProtoBytes(3, ProtoBytes(1, "\x80")))),
       "error: dim needs 1 bytes, 0 left of output:0 @20"},
      {Dump2(Output(1, std::vector<uint64_t>(65, 1), 4), 4),
       "error: a shape has more than 64 dims of output:0 @21"},
      {Dump2(Output(1, std::vector<uint64_t>(1000, 1), 4), 4),
       "error: a shape has more than 64 dims of output:0 @23"},
      {Dump2(Output(1, {~0ull, 2}, 8) + Output(3, {8}, 8), 16),
       "output:0 opaque []; output:1 i8 [8]; output:0: shape [-1,2] is "
       "impossible"},
      {Dump2(Output(1, {1ull << 62, 8}, 8) + Output(3, {8}, 8), 16),
       "output:0 opaque []; output:1 i8 [8]; output:0: shape "
       "[4611686018427387904,8] is impossible"},
      {good.substr(0, good.size() - 9),
       "error: its values need 8 bytes, 7 left of input:0 @39"},
      {good.substr(0, good.size() - 1),
       "error: its values need 8 bytes, 7 left of output:0 @47"},
      {Dump2(Output(1, {2}, ~0ull), 8),
       "error: its values need 18446744073709551615 bytes, 8 left of output:0 "
       "@35"},
      {ProtoBytes(1, "1.0") + ProtoBytes(3, "abcdefgh").substr(0, 5),
       "error: output needs 8 bytes, 3 left @7"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Told(row.bytes), row.told);
}

TEST(Ascend, AHeaderOfNothingButTensorsIsRefused) {
  std::string fields;
  for (size_t i = 0; i <= kMostAscendTensors; ++i) fields += ProtoBytes(3, "");
  EXPECT_EQ(Told(Dump2(fields)),
            "error: the header has more than 65536 tensors @131085");
}

TEST(Ascend, IsKnownByNameOrContent) {
  const std::string dump = Dump2(Output(3, {4}, 4), 4);
  const std::string legacy = ProtoBytes(1, "1.0") + Output(1, {2}, 8);
  const std::string time = "1700000000000001";
  const struct {
    std::string name, bytes;
    bool known;
  } kRows[] = {
      {"17293822569102704640", dump, true},
      {"renamed.bin", dump, true},
      {"Add.a.1.2." + time, "", true},
      {"Add.a.1.2." + time, "text", true},
      {"Add.a.1." + time, "", true},
      {"Add.a.1.1700000000", "", true},
      {"Add.a.1.2.1700000000001", "", true},
      {"Add.a.1.2.20240102030405", "", true},
      {"Add.a.1.2.20240102030405678901", "", true},
      {"Add.a.1.170000000001", "", false},
      {"Add.a.1.2." + time + ".4.487.0.0", "", true},
      {"Add.a.1.2." + time + ".4.487.0", "", true},
      {"Add.a.1.2." + time + ".9.487.0", "", false},
      {"exception_info.2.24.20240102030405678", "", true},
      {"kernel_0.3.4.0.17.20240102030405678", "", true},
      {"Add.a.b.c.1.2." + time, "", true},
      {"Add.1." + time, "", false},
      {"Add..1.2." + time, "", false},
      {"Add.a.1.2." + time + ".csv", "Input/Output,Index\n", false},
      {"Add.a.1.2." + time + ".output.0.npy", "", false},
      {"conv1.0.1700000000", "", false},
      {"intensor0.bin", "$Version=1.0\n$Object.Count=1\n", false},
      {"x", "", false},
      {"x", Little(40, 8) + dump.substr(8), false},  // longer than the file
      {"x", Little(2, 8) + Little(10, 8), false},    // just numbers
      {"x", Little(5, 8) + Little(26, 8), false},
      {"x", Little(2, 8) + "{}", false},
      {"17293822569102704640", legacy, true},
      {"x", legacy.substr(0, 9), true},
      {"x", ProtoBytes(1, "one") + Output(1, {2}, 8), false},
      {"x", ProtoBytes(1, "1.0") + ProtoNumber(4, 1), false},
  };
  const CodecHints hints;
  for (const auto& row : kRows) {
    const std::string path = "some.folder/" + row.name;
    const Codec* codec =
        ChooseCodec({path, row.bytes, row.bytes.size(), hints});
    EXPECT_EQ(codec == FindCodec("ascend"), row.known) << row.name;
  }
}

TEST(Ascend, GivesTheWholeHeader) {
  const std::string bytes =
      Dump2(ProtoNumber(2, 1700000000000000) + Output(3, {4}, 4) +
                ProtoBytes(6, "scope/op") +
                ProtoBytes(7, ProtoBytes(1, "k") + ProtoBytes(2, "v")) +
                ProtoBytes(9, "line\nline"),
            4);
  const TempFile file(".x", bytes);
  const auto header = ReadAscendHeader(*InputFile::Open(file.path()), "x");
  ASSERT_TRUE(header) << header.error().Text();
  EXPECT_EQ(header->version, "2.0");
  EXPECT_EQ(header->dump_time, 1700000000000000u);
  EXPECT_EQ(header->op_name, "scope/op");
  EXPECT_EQ(header->dfx_message, "line\nline");
  ASSERT_EQ(header->attrs.size(), 1u);
  EXPECT_EQ(header->attrs[0], std::pair(std::string("k"), std::string("v")));
  EXPECT_FALSE(header->slices);
  EXPECT_EQ(header->tensors.size(), 1u);
}

TEST(Ascend, AHeaderLongerThanTheHeadIsRead) {
  std::string fields;
  for (int i = 0; i < 3000; ++i) fields += Output(3, {1}, 1);
  const auto listing = ListBytes(
      kDumpName, Dump2(ProtoBytes(9, std::string(9000, 'l')) + fields, 3000));
  ASSERT_TRUE(listing) << listing.error().Text();
  ASSERT_EQ(listing->tensors.size(), 3000u);
  EXPECT_EQ(listing->tensors.back().name, "output:2999");
}

}  // namespace
}  // namespace assay
