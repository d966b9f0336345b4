#include "base/text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace assay {
namespace {

using Words = std::vector<std::string_view>;

TEST(Text, Splits) {
  const struct {
    std::string_view text;
    Words parts;
  } kRows[] = {
      {"", {""}},          {"a", {"a"}},
      {"a,b", {"a", "b"}}, {",a,,b,", {"", "a", "", "b", ""}},
      {",", {"", ""}},
  };
  for (const auto& row : kRows) EXPECT_EQ(Split(row.text, ','), row.parts);
}

TEST(Text, Trims) {
  const struct {
    std::string_view text, trimmed;
  } kRows[] = {
      {"", ""}, {" \t\r\n", ""}, {"a", "a"}, {"  a b\r\n", "a b"}, {"\ta", "a"},
  };
  for (const auto& row : kRows) EXPECT_EQ(Trim(row.text), row.trimmed);
}

TEST(Text, Lowers) {
  EXPECT_EQ(Lower("CoNv_1"), "conv_1");
  EXPECT_EQ(Lower("É\xff"), "É\xff");  // only ASCII
}

TEST(Text, ShowsDoubles) {
  const struct {
    double value;
    std::string shortest, rounded;
  } kRows[] = {
      {0, "0", "0"},
      {-0.0, "-0", "-0"},
      {0.1, "0.1", "0.1"},
      {1.0 / 3, "0.3333333333333333", "0.3333"},
      {1e300, "1e+300", "1e+300"},
      {5e-324, "5e-324", "4.941e-324"},
      {123456, "123456", "1.235e+05"},
      {HUGE_VAL, "inf", "inf"},
      {-HUGE_VAL, "-inf", "-inf"},
      {std::nan(""), "nan", "nan"},
      {-std::nan(""), "nan", "nan"},  // what 0/0 is on x86
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ShortestText(row.value), row.shortest);
    EXPECT_EQ(RoundedText(row.value), row.rounded);
  }
  EXPECT_EQ(RoundedText(1.0 / 3, 2), "0.33");
}

TEST(Text, ShortestReadsBack) {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.1, 1e23, 5e-324, Limits::max(), Limits::min(),
                             123456789012345680.0, -2.0 / 3}) {
    EXPECT_EQ(std::strtod(ShortestText(value).c_str(), nullptr), value);
  }
}

TEST(Text, ShowsBytes) {
  const struct {
    uint64_t bytes;
    std::string text;
  } kRows[] = {
      {0, "0 B"},
      {1023, "1023 B"},
      {1024, "1.0 KiB"},
      {3ull << 29, "1.5 GiB"},
      {1ull << 40, "1.0 TiB"},
      {1ull << 60, "1048576.0 TiB"},
  };
  for (const auto& row : kRows) EXPECT_EQ(BytesText(row.bytes), row.text);
}

TEST(Text, Counts) {
  EXPECT_EQ(Counted(0, "tensor"), "0 tensors");
  EXPECT_EQ(Counted(1, "tensor"), "1 tensor");
  EXPECT_EQ(Counted(14, "tensor"), "14 tensors");
}

TEST(Text, ParsesBytes) {
  const struct {
    std::string_view text;
    std::optional<uint64_t> bytes;
  } kRows[] = {
      {"4096", 4096},
      {"0", 0},
      {"64M", 64u << 20},
      {"64m", 64u << 20},
      {"1.5G", 3ull << 29},
      {"1.5GiB", 3ull << 29},
      {"2kb", 2048},
      {"7B", 7},
      {"1T", 1ull << 40},
      {"", std::nullopt},
      {"M", std::nullopt},
      {"-1", std::nullopt},
      {"1 G", std::nullopt},
      {"1X", std::nullopt},
      {"1KM", std::nullopt},
      {"nan", std::nullopt},
      {"inf", std::nullopt},
      {"1e300", std::nullopt},
      {"9223372036854775808", std::nullopt},
      {"9999999T", std::nullopt},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ParseBytes(row.text), row.bytes) << row.text;
  }
}

TEST(Text, CountsEdits) {
  const struct {
    std::string_view a, b;
    size_t distance;
  } kRows[] = {
      {"", "", 0},
      {"", "abc", 3},
      {"same", "same", 0},
      {"cosin", "cosine", 1},   // insert
      {"cosine", "cosin", 1},   // delete
      {"cosime", "cosine", 1},  // replace
      {"csoine", "cosine", 1},  // swap
      {"kitten", "sitting", 3},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(EditDistance(row.a, row.b), row.distance);
    EXPECT_EQ(EditDistance(row.b, row.a), row.distance);
  }
}

TEST(Text, GuessesWhatWasMeant) {
  constexpr std::string_view kMetrics[] = {"cosine", "max_abs", "max_rel"};
  const struct {
    std::string_view word, nearest;
  } kRows[] = {
      {"cosin", "cosine"},
      {"max_ab", "max_abs"},
      {"max_rle", "max_rel"},
      {"max_xxx", "max_abs"},  // the first of two as near
      {"banana", ""},
      {"", ""},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Nearest(row.word, kMetrics), row.nearest) << row.word;
  }
  EXPECT_EQ(DidYouMean("cosin", kMetrics), "did you mean 'cosine'?");
  EXPECT_EQ(DidYouMean("cosin", kMetrics, "or"), "did you mean 'cosine'? or");
  EXPECT_EQ(DidYouMean("banana", kMetrics), "");
  EXPECT_EQ(DidYouMean("banana", kMetrics, "or"), "or");
  EXPECT_EQ(Nearest("cosine", {}), "");
}

}  // namespace
}  // namespace assay
