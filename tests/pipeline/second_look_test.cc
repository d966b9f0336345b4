// Wrong in a way that can be named: transposed, another output, another step.
#include "pipeline/second_look.h"

#include <gtest/gtest.h>

#include "pipeline/compare_with.h"

namespace assay {
namespace {

std::string LikenessOf(const Comparison& c, std::string_view name) {
  const Row* row = FindRow(c, name);
  if (row == nullptr) return "no such row";
  return row->likeness ? row->likeness->kind + " " + row->likeness->other : "";
}

std::vector<float> Transposed(const std::vector<float>& x, size_t rows) {
  const size_t columns = x.size() / rows;
  std::vector<float> out(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    out[i % columns * rows + i / columns] = x[i];
  }
  return out;
}

bool Says(const Comparison& c, std::string_view rule) {
  for (const Finding& finding : c.findings) {
    if (finding.rule == rule) return true;
  }
  return false;
}

TEST(SecondLook, Transposed) {
  const auto x = Random(96);
  Pair2 pair;
  pair.Golden("matrix.npy", Npy(x, "8, 12"))
      .Target("matrix.npy", Npy(Transposed(x, 8), "8, 12"))
      .Golden("image.npy", Npy(x, "1, 8, 3, 4"))
      .Target("image.npy", Npy(Transposed(x, 8), "1, 3, 4, 8"))
      .Golden("noise.npy", Npy(x, "8, 12"))
      .Target("noise.npy", Npy(Random(96, 9), "8, 12"));
  const Comparison c = pair.Compared();
  EXPECT_EQ(LikenessOf(c, "matrix"), "transposed [1,0]");
  EXPECT_EQ(LikenessOf(c, "image"), "transposed [2,3,1]");
  EXPECT_EQ(LikenessOf(c, "noise"), "");
  EXPECT_TRUE(Says(c, "layout-mistake"));
}

TEST(SecondLook, SwappedOutputs) {
  const auto a = Random(100, 1), b = Random(100, 2);
  const auto output = [](int i) {
    return fmt::format("Split.s.1.2.1700000000000000.output.{}.npy", i);
  };
  Pair2 pair;
  pair.Golden(output(0), Npy(a)).Golden(output(1), Npy(b));
  pair.Target(output(0), Npy(b)).Target(output(1), Npy(a));
  const Comparison c = pair.Compared();
  EXPECT_EQ(LikenessOf(c, "Split.s.1.2.1700000000000000.output.0"),
            "output Split.s.1.2.1700000000000000.output.1");
  EXPECT_TRUE(Says(c, "swapped-outputs"));
}

// The target is one step behind: its step 2 is golden's step 1.
TEST(SecondLook, AnotherStep) {
  Pair2 pair;
  for (const int step : {1, 2, 3}) {
    const std::string name = fmt::format("{}.npy", step);
    pair.Golden(name, Npy(Random(100, step)));
    pair.Target(name, Npy(Random(100, step - 1)));
  }
  const CompareOptions options = pair.options();
  const Result<Dump> golden = OpenSource(options.golden, {});
  const Result<Dump> target = OpenSource(options.target, {});
  ASSERT_TRUE(golden && target);
  const Result<Pairing> pairing = PairDumps(*golden, *target, {});
  ASSERT_TRUE(pairing);
  std::vector<Planned> planned = PlanRows(*golden, *target, *pairing, 1);
  std::vector<Planned*> owners;
  std::vector<MeasureJob> jobs;
  for (Planned& p : planned) {
    p.row.step = static_cast<int64_t>(owners.size()) + 1;
    p.row.op = "op";
    p.row.verdict = Verdict::kUnsure;
    owners.push_back(&p);
    jobs.push_back(*p.job);
  }
  const std::atomic<bool> stop = false;
  Progress progress("", 0, Progress::Unit::kBytes, false);
  LookAgain(owners, Measure(jobs, options.measure, progress, stop),
            options.measure, stop);
  EXPECT_FALSE(planned[0].row.likeness);
  ASSERT_TRUE(planned[1].row.likeness && planned[2].row.likeness);
  EXPECT_EQ(planned[1].row.likeness->kind, "step");
  EXPECT_EQ(planned[1].row.likeness->other, "1");
  EXPECT_EQ(planned[2].row.likeness->other, "2");
}

TEST(SecondLook, ACleanPairHasNothing) {
  const auto x = Random(100);
  Pair2 pair;
  pair.Both("a.npy", Npy(x)).Both("b.npy", Npy(Random(100, 3), "10, 10"));
  const Comparison c = pair.Compared();
  EXPECT_TRUE(c.findings.empty());
  for (const Row& row : c.rows) EXPECT_FALSE(row.likeness);
}

}  // namespace
}  // namespace assay
