#include "legacy/csv_table.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(CsvTable, QuotesOnlyWhatNeedsIt) {
  const struct {
    CsvRow cells;
    std::string line;
  } kRows[] = {
      {{"a", "b c", ""}, "a,b c,\r\n"},
      {{"(0.1;2),(3;4)"}, "\"(0.1;2),(3;4)\"\r\n"},
      {{"say \"x\"", "two\nlines"}, "\"say \"\"x\"\"\",\"two\nlines\"\r\n"},
      {{""}, "\"\"\r\n"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(CsvLine(row.cells, LineEnd::kCrLf), row.line);
  }
}

TEST(CsvTable, EndsLinesAsTheToolDoes) {
  const std::vector<CsvRow> rows = {{"a"}, {"1"}};
  EXPECT_EQ(CsvText(rows, LineEnd::kLf), "a\n1\n");
}

TEST(CsvTable, NamesFilesByTheSecond) {
  const std::string stamp = TimeStamp(Clock::kUtc);
  EXPECT_EQ(stamp.size(), 14u);
  EXPECT_EQ(stamp.find_first_not_of("0123456789"), std::string::npos);
}

}  // namespace
}  // namespace assay
