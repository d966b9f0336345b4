#include "reports/run_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "reports/fixture.h"
#include "reports/sqlite.h"

namespace assay {
namespace {

std::string Saved(const Comparison& c, std::string_view name) {
  std::string path = TemporaryPath(name);
  Result<OutputFile> file = OutputFile::Create(path);
  EXPECT_TRUE(file.ok());
  const Status status = WriteReport(*FindReport("run"), c, {}, *file);
  EXPECT_TRUE(status.ok()) << status.error().Text();
  return path;
}

void Store(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

std::string ErrorAfter(const char* sql) {
  const std::string path = Saved(Fixture(), "edited.assay");
  {
    Result<Database> database = Database::Fill(path);
    EXPECT_TRUE(database->Run(sql).ok()) << sql;
  }
  const Result<Comparison> c = ReadRun(path);
  return c ? "" : c.error().what;
}

TEST(RunFile, ReloadsToTheSameReports) {
  const Result<Comparison> back = ReadRun(Saved(Fixture(), "run.assay"));
  ASSERT_TRUE(back.ok()) << back.error().Text();
  for (const Report* report : AllReports()) {
    EXPECT_EQ(TextOf(report->name, *back), TextOf(report->name, Fixture()))
        << report->name;
  }
}

TEST(RunFile, ReloadsAnEmptyComparison) {
  const Result<Comparison> back = ReadRun(Saved(Comparison(), "empty.assay"));
  ASSERT_TRUE(back.ok()) << back.error().Text();
  EXPECT_EQ(TextOf("json", *back), TextOf("json", Comparison()));
}

TEST(RunFile, HasTheSameBytesForTheSameComparison) {
  const std::string a = ContentOf(Saved(Fixture(), "a.assay"));
  EXPECT_EQ(a, ContentOf(Saved(Fixture(), "b.assay")));
  const Result<Comparison> back = ReadRun(TemporaryPath("a.assay"));
  EXPECT_EQ(a, ContentOf(Saved(*back, "c.assay")));
}

TEST(RunFile, IsKnownByItsFirstBytes) {
  EXPECT_TRUE(IsRunFile(Saved(Fixture(), "run.assay")));
  const std::string path = TemporaryPath("other");
  Store(path, "SQLite format 3");
  EXPECT_FALSE(IsRunFile(path));
  EXPECT_FALSE(IsRunFile(TemporaryPath("nowhere")));
  EXPECT_FALSE(IsRunFile("/tmp"));
  const std::string pipe = TemporaryPath("pipe");
  std::filesystem::remove(pipe);
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(IsRunFile(pipe));  // and does not wait for a writer
}

TEST(RunFile, SaysWhatIsWrong) {
  const std::string path = TemporaryPath("other");
  Store(path, "hello");
  EXPECT_EQ(ReadRun(path).error().what, "this is not a saved run");
  EXPECT_EQ(ReadRun(TemporaryPath("nowhere")).error().what,
            "cannot read the run");
  const struct {
    const char* sql;
    std::string error;
  } kRows[] = {
      {"UPDATE meta SET value = 'assay.run/2' WHERE key = 'schema'",
       "the run has the schema 'assay.run/2', not 'assay.run/1'"},
      {"DELETE FROM meta WHERE key = 'header'", "the run has no 'header'"},
      {"UPDATE meta SET value = '{' WHERE key = 'header'", "this is not JSON"},
      {"UPDATE meta SET value = '{}' WHERE key = 'header'",
       "'verdict' is not one of the known words"},
      {"UPDATE rows SET data = NULL WHERE row = 3", "this is not JSON"},
      {"UPDATE rows SET data = '{\"row\":true}' WHERE row = 3",
       "row 0: 'row' is not a count"},
      {"DROP TABLE rows", "no such table: rows"},
      {"ALTER TABLE unpaired RENAME COLUMN why TO because",
       "no such column: why"},
      {"ALTER TABLE rows RENAME TO r; CREATE VIEW rows AS SELECT * FROM r",
       "access to view \"rows\" prohibited"},
  };
  for (const auto& row : kRows) EXPECT_EQ(ErrorAfter(row.sql), row.error);
}

TEST(RunFile, SurvivesDamage) {
  const std::string whole = ContentOf(Saved(Fixture(), "run.assay"));
  const std::string path = TemporaryPath("damaged.assay");
  for (size_t i = 0; i < whole.size(); i += 37) {
    std::string bytes = whole;
    bytes[i] = static_cast<char>(~bytes[i]);
    Store(path, bytes);
    static_cast<void>(ReadRun(path));
    Store(path, whole.substr(0, i));
    EXPECT_FALSE(ReadRun(path).ok()) << "cut at " << i;
  }
}

}  // namespace
}  // namespace assay
