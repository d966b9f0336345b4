#include <gtest/gtest.h>

#include "reports/fixture.h"

namespace assay {
namespace {

TEST(ReportForPath, TakesTheLongestSuffix) {
  const struct {
    std::string path, report;
  } kRows[] = {
      {"a/run.assay", "run"},       {"r.json", "json"},
      {"r.jsonl", "jsonl"},         {"R.CSV", "csv"},
      {"r.md", "markdown"},         {"build/r.junit.xml", "junit"},
      {"a.json/table.txt", "text"}, {"r.json.csv", "csv"},
  };
  for (const auto& row : kRows) {
    const Result<const Report*> report = ReportForPath(row.path);
    ASSERT_TRUE(report.ok()) << row.path;
    EXPECT_EQ((*report)->name, row.report);
  }
}

TEST(ReportForPath, SaysWhichSuffixesThereAre) {
  const std::string known =
      "the suffixes are .assay .json .jsonl .csv .xlsx .md .junit.xml .html "
      ".txt";
  const struct {
    std::string path, hint;
  } kRows[] = {
      {"report.docx", known},
      {"report", known},
      {"a.json/report", known},
      {"report.jsn", "did you mean '.json'? " + known},
  };
  for (const auto& row : kRows) {
    const Result<const Report*> report = ReportForPath(row.path);
    ASSERT_FALSE(report.ok()) << row.path;
    EXPECT_EQ(report.error().code, ErrorCode::kUsage);
    EXPECT_EQ(report.error().what,
              "no report has the suffix of '" + row.path + "'");
    EXPECT_EQ(report.error().hint, row.hint);
  }
}

TEST(AllReports, HaveAnOutputAndAName) {
  for (const Report* report : AllReports()) {
    EXPECT_NE(report->print == nullptr, report->write == nullptr);
    EXPECT_FALSE(report->summary.empty());
    EXPECT_EQ(FindReport(report->name), report);
  }
  EXPECT_EQ(FindReport("docx"), nullptr);
}

TEST(WriteReport, WritesWhatIsPrinted) {
  for (const Report* report : AllReports()) {
    if (!report->print) continue;
    const std::string path = TemporaryPath("report");
    Result<OutputFile> file = OutputFile::Create(path);
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(WriteReport(*report, Fixture(), {}, *file).ok());
    EXPECT_EQ(ContentOf(path), TextOf(report->name, Fixture()));
  }
}

TEST(WriteReport, StopsWhenTheSinkIsFull) {
  for (const Report* report : AllReports()) {
    if (!report->print) continue;
    const Status status = report->print(
        Fixture(), {},
        [](std::string_view) -> Status { return IoError("no space left"); });
    ASSERT_FALSE(status.ok()) << report->name;
    EXPECT_EQ(status.error().what, "no space left");
  }
}

}  // namespace
}  // namespace assay
