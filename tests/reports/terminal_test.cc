#include <gtest/gtest.h>

#include "base/utf8.h"
#include "reports/fixture.h"

namespace assay {
namespace {

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Terminal, SaysTheVerdictFirst) {
  Comparison c{.verdict = Verdict::kFail, .exit = 1, .origins = {"conv1"}};
  c.rows = {ConvRow(), PlainRow("relu1", Verdict::kPass, "equal"),
            PlainRow("fc", Verdict::kPass, "equal")};
  c.counts = {2, 1};
  c.golden_coverage = {.total = 4, .compared = 3, .unpaired = 1};
  c.target_coverage = {.total = 3, .compared = 3};
  c.golden = {"golden/", "plain", ""};
  c.target = {"npu/", "plain", ""};
  c.unpaired = {{Side::kGolden, "x", "x.npy", "unpaired", "fused away"}};
  c.findings = {{"overflow", 1, "conv1", "3 values", "assay show conv1"}};
  EXPECT_EQ(TextOf("text", c, {.top = 2, .width = 90}),
            R"(fail: conv1 makes the error; 1 of 3 rows fail (exit 1)
  origin    conv1:output:0  rel_l2 0.31 is 38x its floor
            at [0,3,1,2]: golden 1, target -0.2
  golden    golden/ (plain): 3 of 4 tensors compared (75.0%), 1 unpaired
  target    npu/ (plain): 3 of 3 tensors compared (100%)
  rows      1 fail, 2 pass

findings:
  overflow at conv1: 3 values
    next: assay show conv1

OPERATOR        VERDICT  COSINE  REL_L2  MAX_ABS  MARGIN  WHY
conv1:output:0  fail       0.95    0.31      1.2   38.2x  rel_l2 0.31 is 38x its floor
relu1           pass          -       -        -       -  equal
… and 1 more row (pass)

only in golden (1):
  x  (x.npy)  fused away
)");
}

TEST(Terminal, SaysWhenNothingWasCompared) {
  Comparison c;
  EXPECT_EQ(TextOf("text", c),
            "skipped: nothing was compared (exit 2)\n"
            "  golden    : no tensors\n"
            "  target    : no tensors\n"
            "  rows      no rows\n");
}

TEST(Terminal, ShowsErrorsInFull) {
  Comparison c{.verdict = Verdict::kError, .rows = {ErrorRow()}};
  c.counts[static_cast<size_t>(Verdict::kError)] = 1;
  const std::string text = TextOf("text", c, {.width = 40});
  EXPECT_TRUE(Contains(text, "error: 1 of 1 rows could not be compared"));
  EXPECT_TRUE(Contains(text,
                       "shape needs 24 bytes, 0 left\n"
                       "  in    target/conv1.npy (byte 80), tensor w\n"
                       "  hint  the file looks truncated\n"))
      << text;
}

TEST(Terminal, ShowsSuspectsWithoutAnOrigin) {
  Comparison c = Fixture();
  c.origins.clear();
  const std::string text = TextOf("text", c);
  EXPECT_TRUE(Contains(text, "  origin    conv1:output:0  rel_l2 0.31 is 38x"));
  EXPECT_TRUE(Contains(text,
                       "  suspect   not a number  above the type floor\n"
                       "  suspect   名前/<script>"));
}

TEST(Terminal, FitsTheWidth) {
  for (const int width : {80, 100, 140}) {
    Comparison c = Fixture();
    c.rows.pop_back();  // errors are read in full
    c.rows[0].name = std::string(200, 'n');
    c.rows[0].why = std::string(200, 'y');
    const std::string text = TextOf("text", c, {.width = width});
    std::istringstream lines(text.substr(text.find("OPERATOR")));
    for (std::string line; std::getline(lines, line) && !line.empty();) {
      EXPECT_LE(DisplayWidth(line), std::max(width, 88)) << line;
    }
    EXPECT_TRUE(Contains(text, "n…n"));
    EXPECT_TRUE(Contains(text, "y…"));
  }
}

TEST(Terminal, ShowsTheMetricsThatWereAskedFor) {
  Comparison c = Fixture();
  EXPECT_TRUE(Contains(TextOf("text", c, {.sort = "mean_golden"}),
                       "MAX_ABS  MEAN_GOLDEN"));
  c.rows = {c.rows[0]};
  c.rows[0].metrics.Set(*FindMetric("mean_abs"), Number(0.25));
  const std::string text = TextOf("text", c);
  EXPECT_TRUE(Contains(text, "MEAN_ABS"));
  EXPECT_FALSE(Contains(text, "COSINE"));
}

TEST(Terminal, ColorsOnlyWhenAsked) {
  const std::string plain = TextOf("text", Fixture());
  EXPECT_EQ(plain.find('\x1b'), std::string::npos);
  EXPECT_TRUE(Contains(TextOf("text", Fixture(), {.color = true}),
                       "\x1b[1;31mfail   \x1b[0m"));
}

TEST(Terminal, CountsWhatItLeavesOut) {
  Comparison c = Fixture();
  EXPECT_TRUE(Contains(TextOf("text", c, {.top = 7}),
                       "… and 3 more rows (1 skipped, 1 trivial, 1 pass)\n"));
  for (int i = 0; i < 12; ++i) c.unpaired.push_back(c.unpaired[0]);
  EXPECT_TRUE(Contains(TextOf("text", c), "only in golden (14):"));
  EXPECT_TRUE(Contains(TextOf("text", c), "  … and 4 more\n"));
}

}  // namespace
}  // namespace assay
