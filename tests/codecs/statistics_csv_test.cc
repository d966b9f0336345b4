#include <gtest/gtest.h>

#include "base/text.h"
#include "codecs/temp_file.h"
#include "test_paths.h"

namespace assay {
namespace {

std::string Shown(const std::optional<double>& value) {
  return value ? ShortestText(*value) : "?";
}
std::string Shown(const std::optional<uint64_t>& value) {
  return value ? std::to_string(*value) : "?";
}

// "input:0 f16 [2,3] NCHW min max mean l2 nan inf", a line per tensor.
std::string Shown(const std::vector<StoredTensor>& tensors) {
  std::string text;
  for (const StoredTensor& t : tensors) {
    EXPECT_TRUE(t.summary) << t.name;
    EXPECT_EQ(t.extent.length, 0u);
    const TensorSummary& s = *t.summary;
    text += fmt::format("{} {} {} {} {} {} {} {} {} {}{}\n", t.name,
                        Name(t.dtype), s.shape_known ? ToText(t.shape) : "?",
                        Name(t.layout), Shown(s.min), Shown(s.max),
                        Shown(s.mean), Shown(s.l2), Shown(s.nan), Shown(s.inf),
                        s.hash.empty() ? "" : " " + s.hash);
  }
  return text;
}

TEST(Statistics, ReadsTheTablesOfFourTools) {
  const struct {
    std::string file, tensors;
  } kRows[] = {
      {"ascend",
       "input:0 f16 [1,1,4,2,16] NC1HWC0 -1.25 2.5 0.5 ? 0 3\n"
       "input:1 i64 [] ND 3 3 3 ? 0 0\n"
       "output:0 f32 [4,50,50,16] NHWC -inf 1.99999 nan ? 7 0\n"
       "output:1 opaque [16] ND ? ? ? ? ? ?\n"},
      {"mindspore",
       "Default/fc1/MatMul-op3/input:0 f32 [2,3] ND 1 6 3.5 ? 0 0\n"
       "Default/fc1/MatMul-op3/output:0 i32 [] ND ? ? ? ? 0 1\n"},
      {"atb",
       "Layer/Linear/input:0 f16 [4,8] ND -1.5 1.5 0.25 12 ? ?\n"
       "Layer/Linear/output:0 bf16 [1,1,16,16] FRACTAL_NZ ? ? ? ? ? ?\n"
       "Layer/Linear/output:1 f32 ? ND 0 1 0.5 1 ? ?\n"},
      {"msit",
       "model.layers.0.norm/input:0 bf16 [1,16,64] ND -2.5 3 0.125 40.5 ? ?\n"
       "model.layers.0.norm/output:0_1 bool [16] ND 0 1 ? ? ? ?\n"},
  };
  for (const auto& row : kRows) {
    const auto listing =
        ListFile(TestData("codecs/statistics_") + row.file + ".csv", {});
    ASSERT_TRUE(listing) << listing.error().Text();
    EXPECT_EQ(listing->codec->name, "statistics");
    EXPECT_EQ(Shown(listing->tensors), row.tensors);
  }
}

constexpr std::string_view kHeader =
    "Input/Output,Index,Data Size,Data Type,Format,Shape,Max Value,l2norm,"
    "MD5 Value\n";

std::string Table(std::string_view lines) {
  return std::string(kHeader) + std::string(lines);
}

TEST(Statistics, ReadsWhatTheFirstLineNames) {
  const std::string kRows[] = {
      "Output,2,4,DT_BOOL,ND,\"1\",1,2,ab12\n",
      "Output,2,4,DT_BOOL,ND,1,1,2,ab12",
      "\r\nOutput , 2,4,DT_BOOL,ND,1,+1,2e0,ab12\r\n\r\n",
      std::string(kHeader) + "Output,2,4,dt_bool,ND,\"(1,)\",1,2,ab12\n",
      "Output,2,4,DT_BOOL,ND,torch.Size([1]),1,2,ab12\n",
  };
  for (const std::string& row : kRows) {
    const auto listing = ListBytes(".csv", "\xef\xbb\xbf" + Table(row));
    ASSERT_TRUE(listing) << row << listing.error().Text();
    EXPECT_EQ(Shown(listing->tensors),
              "output:2 bool [1] ND ? 1 ? 2 ? ? ab12\n");
  }
}

TEST(Statistics, OtherTablesAreNotStatistics) {
  const std::string kRows[] = {
      "", "a,b\n1,2\n", "Index,NPUDump,DataType,Shape,Max\n",
      "Input/Output,Index,Data Size,Data Type,Format,Shape\n"};
  for (const std::string& row : kRows) {
    const auto listing = ListBytes(".csv", row);
    ASSERT_TRUE(listing);
    EXPECT_EQ(listing->codec, nullptr) << row;
  }
}

TEST(Statistics, SaysWhatIsWrongAndWhere) {
  const std::string good = "Input,0,4,DT_FLOAT,ND,1,1,2,\n";
  const struct {
    std::string line, error;
  } kRows[] = {
      {"Input,0", "2 cells where the first line has 9"},
      {"Input,0,4,DT_FLOAT,ND,1,1,2,,", "10 cells where the first line has 9"},
      {"Inout,0,4,DT_FLOAT,ND,1,1,2,",
       "'Inout' in column 'Input/Output' is no Input or Output"},
      {"Input,x,4,DT_FLOAT,ND,1,1,2,", "'x' in column 'Index' is no index"},
      {"Input,,4,DT_FLOAT,ND,1,1,2,", "it does not say which tensor it is of"},
      {"Input,0,4,DT_FLOAT,ND,1xa,1,2,", "'1xa' in column 'Shape' is no shape"},
      {"Input,0,4,DT_FLOAT,ND,4294967296x4294967296,1,2,",
       "'4294967296x4294967296' in column 'Shape' is no shape"},
      {"Input,0,4,DT_FLOAT,ND,1,1.2.3,2,",
       "'1.2.3' in column 'Max Value' is no number"},
  };
  for (const auto& row : kRows) {
    const auto listing = ListBytes(".csv", Table(good + row.line + "\n"));
    ASSERT_FALSE(listing) << row.line;
    EXPECT_EQ(listing.error().what, row.error);
    EXPECT_EQ(listing.error().line, 3u);
  }
}

}  // namespace
}  // namespace assay
