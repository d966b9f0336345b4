// A saved run reloads to the same reports.
#include <gtest/gtest.h>

#include "pipeline/compare_with.h"
#include "pipeline/look.h"
#include "reports/report.h"
#include "reports/run_file.h"

namespace assay {
namespace {

void Save(const Comparison& c, const std::string& path) {
  auto file = OutputFile::Create(path);
  ASSERT_TRUE(file);
  ASSERT_TRUE(WriteReport(**ReportForPath(path), c, {}, *file));
}

Pair2& Filled(Pair2& pair) {
  const auto x = Random(500);
  pair.Golden("unsure.npy", Npy(x)).Target("unsure.npy", Npy(Random(500, 2)));
  pair.Golden("fail.npy", Npy(x)).Target("fail.npy", Npy(Scaled(x, 1.5)));
  pair.Golden("nan.npy", Npy(x)).Target("nan.npy", Npy(With(x, 5, NAN)));
  pair.Both("zero.npy", Npy(std::vector<float>(9))).Both("pass.npy", Npy(x));
  pair.Both("text.npy", NpyBytes("<U1", "1,", "abcd"));
  pair.Both("cut.npy", "\x93NUMPY").Golden("only.npy", Npy(x));
  pair.Golden("i.npy", Npy(std::vector<int64_t>{1LL << 62, 7}));
  pair.Target("i.npy", Npy(std::vector<int64_t>{(1LL << 62) + 1, 7}));
  return pair;
}

TEST(SavedRun, GivesTheSameReports) {
  Pair2 pair;
  const Comparison c = Filled(pair).Compared();
  const std::string path = pair.tree() / "run.assay";
  Save(c, path);
  ASSERT_TRUE(IsRunFile(path));
  const auto again = ReadRun(path);
  ASSERT_TRUE(again) << again.error().Text();
  for (const Report* report : AllReports()) {
    if (report->print == nullptr) continue;
    EXPECT_EQ(ReportText(*report, *again, {}), ReportText(*report, c, {}))
        << report->name;
  }
}

TEST(SavedRun, RowsFindTheirTensorsAgain) {
  Pair2 pair;
  const Comparison c = Filled(pair).Compared();
  const RunDumps dumps = *ReopenRun(c, {});
  for (const Row& row : c.rows) {
    const bool measured = !row.metrics.empty();
    EXPECT_EQ(JobOfRow(dumps, row).ok(), measured) << row.name;
  }
  std::filesystem::remove(pair.tree() / "target/pass.npy");
  const auto gone = JobOfRow(*ReopenRun(c, {}), *FindRow(c, "pass"));
  ASSERT_FALSE(gone);
  EXPECT_NE(gone.error().hint, "");
}

}  // namespace
}  // namespace assay
