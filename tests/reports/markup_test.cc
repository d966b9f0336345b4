#include <gtest/gtest.h>

#include "reports/fixture.h"

namespace assay {
namespace {

Comparison OneRow(Row row) {
  Comparison c{.verdict = row.verdict, .exit = 1};
  c.counts[static_cast<size_t>(row.verdict)] = 1;
  c.rows = {std::move(row)};
  return c;
}

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Markdown, IsSummaryAndWorstRows) {
  Comparison c = OneRow(ConvRow());
  c.golden = {"a_b/", "plain", ""};
  c.target = {"c/", "plain", ""};
  c.golden_coverage = {.total = 2, .compared = 1, .unpaired = 1};
  c.target_coverage = {.total = 1, .compared = 1};
  c.unpaired = {{Side::kGolden, "x|y", "x.npy", "unpaired", "fused away"}};
  EXPECT_EQ(TextOf("markdown", c), R"(# assay: fail

1 of 1 rows fail (exit 1)

- rows: 1 fail
- golden: a\_b/ (plain): 1 of 2 tensors compared (50.0%), 1 unpaired
- target: c/ (plain): 1 of 1 tensors compared (100%)

## Suspects

- **conv1:output:0** rel\_l2 0.31 is 38x its floor

## Rows

| operator | verdict | cosine | rel_l2 | max_abs | floor | margin | why |
|---|---|--:|--:|--:|--:|--:|---|
| conv1:output:0 | fail | 0.95 | 0.31 | 1.2 | 0.0081 | 38.2x | rel\_l2 0.31 is 38x its floor |

## Only in golden (1)

| tensor | file | status | why |
|---|---|---|---|
| x\|y | x.npy | unpaired | fused away |
)");
}

TEST(Markdown, EscapesNames) {
  const struct {
    std::string name, cell;
  } kRows[] = {
      {"a|b", "| a\\|b |"},         {"`x`", "| \\`x\\` |"},
      {"a\nb", "| a\\\\nb |"},      {"<script>", "| &lt;script&gt; |"},
      {"[a](b)", "| \\[a\\](b) |"}, {"\xff", "| \ufffd |"},
  };
  for (const auto& row : kRows) {
    const Comparison c = OneRow(PlainRow(row.name, Verdict::kPass, ""));
    EXPECT_TRUE(Contains(TextOf("markdown", c), row.cell)) << row.name;
  }
}

TEST(Markdown, CountsWhatItLeavesOut) {
  const std::string text = TextOf("markdown", Fixture(), {.top = 1});
  EXPECT_TRUE(Contains(text, "… and 9 more rows (1 fail, 5 unsure, "));
  EXPECT_TRUE(Contains(text, "… and 1 more\n"));
}

TEST(Junit, MapsVerdicts) {
  const struct {
    Verdict verdict;
    std::string text;
  } kRows[] = {
      {Verdict::kPass, "name=\"n\"/>"},
      {Verdict::kFail, "<failure type=\"fail\" message=\"w\">"},
      {Verdict::kUnsure, "<failure type=\"unsure\" message=\"w\">"},
      {Verdict::kError, "<error type=\"error\" message=\"w\">"},
      {Verdict::kTrivial, "<skipped message=\"trivial: w\"/>"},
      {Verdict::kSkipped, "<skipped message=\"skipped: w\"/>"},
  };
  for (const auto& row : kRows) {
    const Comparison c = OneRow(PlainRow("n", row.verdict, "w"));
    EXPECT_TRUE(Contains(TextOf("junit", c), row.text)) << row.text;
  }
}

TEST(Junit, CountsCases) {
  const std::string text = TextOf("junit", Fixture());
  EXPECT_TRUE(
      Contains(text, "tests=\"13\" failures=\"6\" errors=\"1\" skipped=\"5\""));
  EXPECT_TRUE(Contains(text,
                       "name=\"x|y (golden)\"><skipped message="
                       "\"unpaired: fused away\"/>"));
  EXPECT_TRUE(Contains(text, "&#10;  in    target/conv1.npy (byte 80)"));
}

TEST(Junit, IsNeverGreenWhenTheRunIsNot) {
  const std::string text = TextOf("junit", Comparison());
  EXPECT_TRUE(Contains(text, "tests=\"1\" failures=\"0\" errors=\"1\""));
  EXPECT_TRUE(Contains(text, "message=\"nothing was compared (exit 2)"));
  Comparison good = OneRow(PlainRow("n", Verdict::kPass, ""));
  good.exit = 0;
  EXPECT_TRUE(Contains(TextOf("junit", good),
                       "tests=\"1\" failures=\"0\" "
                       "errors=\"0\""));
}

TEST(Junit, EscapesNames) {
  const struct {
    std::string name, text;
  } kRows[] = {
      {"<a & 'b' \"c\">", "\"&#60;a &#38; &#39;b&#39; &#34;c&#34;&#62;\""},
      {"a\n\tb\r", "\"a&#10;&#9;b&#13;\""},
      {std::string("\0\x1b\x08", 3), "\"\ufffd\ufffd\ufffd\""},
      {"\xff\uffff", "\"\ufffd\ufffd\""},
      {"名前", "\"名前\""},
  };
  for (const auto& row : kRows) {
    const Comparison c = OneRow(PlainRow(row.name, Verdict::kPass, ""));
    EXPECT_TRUE(Contains(TextOf("junit", c), "name=" + row.text)) << row.text;
  }
}

}  // namespace
}  // namespace assay
