#include "sources/digits.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(Digits, TimesByTheirLength) {
  constexpr int64_t kMoment = 1'700'000'000'123'456;  // 2023-11-14 22:13:20
  const struct {
    std::string_view text;
    int64_t time;  // -1: none
  } kRows[] = {
      {"1700000000", kMoment / 1'000'000 * 1'000'000},
      {"1700000000123", kMoment / 1000 * 1000},
      {"1700000000123456", kMoment},
      {"1700000000123456789", kMoment},
      {"20231114221320", kMoment / 1'000'000 * 1'000'000},
      {"20231114221320123", kMoment / 1000 * 1000},
      {"20231114221320123456", kMoment},
      {"19700101000000", 0},
      {"20240229000000", 1'709'164'800'000'000},
      {"20230229000000", 20230229000000},  // no such day: only an order
      {"20231314221320", 20231314221320},
      {"20231114241320", 20231114241320},
      {"20231114226020", 20231114226020},
      {"17000000000000001", 17000000000000001},
      {"99999999999999999999", 999999999999999999},
      {"9999999999999999999", -1},
      {"170000000", -1},
      {"17000000001", -1},
      {"", -1},
      {"170000000x", -1},
      {"-700000000", -1},
      {" 700000000", -1},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ParseTime(row.text).value_or(-1), row.time) << row.text;
  }
}

TEST(Digits, Numbers) {
  EXPECT_EQ(ParseDigits("9223372036854775807"), INT64_MAX);
  for (const char* bad : {"9223372036854775808", "", "-1", "+1", "1 ", "0x1"}) {
    EXPECT_FALSE(ParseDigits(bad)) << bad;
  }
  EXPECT_EQ(ParseSmall("2147483647"), INT32_MAX);
  EXPECT_FALSE(ParseSmall("2147483648"));
  EXPECT_EQ(ParseSmall("007"), 7);
}

TEST(Digits, FoldersOfRuns) {
  for (const char* yes : {"20240501120000", "20240101", "202405011200001"}) {
    EXPECT_TRUE(IsTimeFolder(yes)) << yes;
  }
  for (const char* no :
       {"0", "12", "20241301", "00000000", "2024050112000", "", "a0240501"}) {
    EXPECT_FALSE(IsTimeFolder(no)) << no;
  }
}

}  // namespace
}  // namespace assay
