#include <gtest/gtest.h>

#include <map>

#include "reports/fixture.h"

namespace assay {
namespace {

using Cells = std::vector<std::string>;

// A reader of RFC 4180, to see what a spreadsheet sees.
std::vector<Cells> Read(const std::string& text) {
  std::vector<Cells> lines(1, Cells(1));
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool doubled = quoted && text.compare(i, 2, "\"\"") == 0;
    if (text[i] == '"' && !doubled) {
      quoted = !quoted;
    } else if (text[i] == ',' && !quoted) {
      lines.back().emplace_back();
    } else if (text[i] == '\n' && !quoted) {
      lines.emplace_back(1);
    } else {
      lines.back().back() += text[i];
      i += doubled ? 1 : 0;
    }
  }
  lines.pop_back();
  return lines;
}

using Line = std::map<std::string, std::string>;

std::vector<Line> Table(const Comparison& c) {
  const std::vector<Cells> lines = Read(TextOf("csv", c));
  std::vector<Line> table;
  for (size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].size(), lines[0].size());
    Line& line = table.emplace_back();
    for (size_t j = 0; j < lines[i].size(); ++j)
      line[lines[0][j]] = lines[i][j];
  }
  return table;
}

TEST(Csv, HasEveryRowAndEveryUnpairedTensor) {
  const std::vector<Line> table = Table(Fixture());
  ASSERT_EQ(table.size(), 13);
  const struct {
    size_t line;
    std::string column, cell;
  } kCells[] = {
      {0, "name", "in|put`x`\nline"},
      {1, "golden_shape", "[1,8,4,4]"},
      {1, "target_tensor", "output:0"},
      {1, "steps", "target: unpack NC1HWC0 to NCHW; target: cut C 16 to 8"},
      {1, "floor_margin", "38.2"},
      {1, "worst_target", "-0.2"},
      {1, "rel_l2", "0.31"},
      {2, "name", "'=small,\"quoted\""},
      {5, "floor_margin", "nan"},
      {6, "step", "-9223372036854775808"},
      {6, "rel_l2", ""},
      {6, "max_abs", "9007199254740993"},
      {6, "worst_golden", "-9007199254740993"},
      {6, "worst_target", "-inf"},
      {9, "name", "bad\ufffd\ufffd(utf8"},
      {9, "why", "shape needs 24 bytes, 0 left"},
      {10, "row", ""},
      {10, "verdict", "unpaired"},
      {10, "golden_file", "x.0.1.npy"},
      {11, "name", "'@z\ufffd"},
      {12, "target_file", ""},
      {12, "why", "no such\nname"},
  };
  for (const auto& cell : kCells) {
    EXPECT_EQ(table[cell.line].at(cell.column), cell.cell)
        << cell.line << " " << cell.column;
  }
  EXPECT_EQ(table[0].count("psnr_db"), 0);  // no row holds it
}

TEST(Csv, DisarmsFormulasButNotNumbers) {
  const struct {
    std::string name, cell;
  } kRows[] = {
      {"=1+1", "'=1+1"}, {"+a", "'+a"},  {"-a", "'-a"},
      {"@a", "'@a"},     {"a=b", "a=b"}, {"", ""},
  };
  for (const auto& row : kRows) {
    Comparison c;
    c.rows = {PlainRow(row.name, Verdict::kPass, "")};
    c.rows[0].metrics.Set(*FindMetric("cosine"), Number(-1.0));
    EXPECT_EQ(Table(c)[0].at("name"), row.cell);
    EXPECT_EQ(Table(c)[0].at("cosine"), "-1.0");
  }
}

}  // namespace
}  // namespace assay
