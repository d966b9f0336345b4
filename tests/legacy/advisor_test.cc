#include "legacy/advisor.h"

#include <gtest/gtest.h>

#include "base/input_file.h"
#include "legacy/analyser.h"
#include "legacy/csv_reader.h"
#include "test_paths.h"

namespace assay {
namespace {

std::vector<CsvRow> Table(const std::string& name) {
  const auto file = InputFile::Open(TestData("metrics/") + name);
  return ParseCsv(file->Text(0, file->size()).value());
}

TEST(Advisor, SaysWhatTheOriginalSays) {
  const struct {
    const char* table;
    std::vector<std::string> inputs;
    OldAdvice::Kind kind;
    const char* index;
  } kRows[] = {
      {"overflow_and_bad_input", {"data"}, OldAdvice::kOverflow, "1"},
      {"input_inconsistent", {"data"}, OldAdvice::kInput, "0"},
      {"input_bad_but_no_input_nodes", {}, OldAdvice::kProblemNode, "0"},
      {"problem_node", {"data"}, OldAdvice::kProblemNode, "1"},
      {"consistent", {"data"}, OldAdvice::kConsistent, "NA"},
      {"all_nan", {"data"}, OldAdvice::kNone, "NA"},
      {"no_cosine_column", {"a"}, OldAdvice::kNone, "NA"},
      {"header_only", {"a"}, OldAdvice::kNone, "NA"},
  };
  for (const auto& row : kRows) {
    const auto advice =
        Advise(Table(std::string("advisor/") + row.table + ".csv"), row.inputs);
    ASSERT_TRUE(advice) << row.table;
    EXPECT_EQ(advice->kind, row.kind) << row.table;
    EXPECT_EQ(advice->index, row.index) << row.table;
  }
  const auto failure = Advise(Table("advisor/missing_npudump.csv"), {});
  ASSERT_FALSE(failure);
  EXPECT_EQ(failure.error().code, OldCode::kInvalidFile);
}

TEST(Advisor, TellsASinglePointFromAProblemNode) {
  const std::vector<CsvRow> table = {{"Index", "NPUDump", "CosineSimilarity"},
                                     {"4", "a", "0.2"},
                                     {"5", "b", "0.99"},
                                     {"6", "c", "NaN"},
                                     {"7", "d", "0.1", "too many cells"}};
  const auto advice = Advise(table, {});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->kind, OldAdvice::kSinglePoint);
  EXPECT_EQ(advice->index, "4");
  EXPECT_EQ(AdviceText({}, false),
            "Detection Type: NA\nOperator Index: NA\nExpert Advice: NA\n");
}

// A table that a spreadsheet program saved.
TEST(Advisor, ReadsEditedTables) {
  const auto advice = Advise(
      ParseCsv("\xef\xbb\xbfIndex,NPUDump,CosineSimilarity\r\n4,a, 0.2 \r\n"),
      {});
  ASSERT_TRUE(advice);
  EXPECT_EQ(advice->kind, OldAdvice::kProblemNode);
  EXPECT_EQ(advice->index, "4");
}

TEST(Analyser, FindsTheRowsOfTheOriginal) {
  const auto table = Table("analyser/result_20240101000000.csv");
  using Monitors = std::vector<std::string>;
  using Found = std::vector<std::pair<std::string, Monitors>>;
  const std::string cosine = "CosineSimilarity", mean = "MeanRelativeError",
                    euclid = "RelativeEuclideanDistance",
                    rmse = "RootMeanSquareError";
  const struct {
    AnalyserStrategy strategy;
    Found found;
  } kRows[] = {
      {AnalyserStrategy::kFirst, {{"3", {cosine, mean}}}},
      {AnalyserStrategy::kFirstEach,
       {{"3", {cosine, mean}}, {"4", {euclid}}, {"5", {rmse}}}},
      {AnalyserStrategy::kAll,
       {{"3", {cosine, mean}}, {"4", {euclid}}, {"5", {euclid, rmse}}}},
  };
  for (const auto& row : kRows) {
    Found found;
    for (const BadRow& bad : Analyse(table, row.strategy)) {
      found.emplace_back(table[bad.line][0], bad.monitors);
    }
    EXPECT_EQ(found, row.found);
  }
  const auto bad = Analyse(table, AnalyserStrategy::kFirst);
  EXPECT_EQ(AnalyserText(table, bad),
            "| Monitor           | Value | Index | OpType | NPUDump           "
            "             | GroundTruth |\n"
            "| CosineSimilarity  | 0.985 | 3     | Add    | "
            "add_with_a_very_long_operat... | add         |\n"
            "| MeanRelativeError | 2.5   | 3     | Add    | "
            "add_with_a_very_long_operat... | add         |\n");
}

TEST(CsvReader, TakesQuotesOff) {
  const std::vector<CsvRow> rows = {{"a", "b,c", "d\"e"}, {"", "x"}};
  EXPECT_EQ(ParseCsv("a,\"b,c\",\"d\"\"e\"\r\n,x\r\n"), rows);
  EXPECT_TRUE(ParseCsv("").empty());
}

}  // namespace
}  // namespace assay
