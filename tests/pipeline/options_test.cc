// Options that change verdicts and exit codes.
#include <gtest/gtest.h>

#include "pipeline/compare_with.h"

namespace assay {
namespace {

TEST(ExitCode, StrictCountsEveryDoubt) {
  const auto x = Random(100);
  const struct {
    std::string what;
    void (*add)(Pair2&);
    int plain, strict;
  } kRows[] = {
      {"pass", [](Pair2&) {}, 0, 0},
      {"unsure",
       [](Pair2& p) {
         p.Golden("b.npy", Npy(Random(9, 2))).Target("b.npy", Npy(Random(9)));
       },
       3, 1},
      {"trivial", [](Pair2& p) { p.Both("b.npy", Npy(std::vector<float>(9))); },
       0, 1},
      {"unpaired", [](Pair2& p) { p.Golden("b.npy", Npy(Random(9))); }, 0, 1},
      {"skipped",
       [](Pair2& p) { p.Both("b.npy", NpyBytes("<U1", "1,", "abcd")); }, 0, 1},
      {"error", [](Pair2& p) { p.Both("b.npy", "\x93NUMPY"); }, 2, 2},
      {"fail",
       [](Pair2& p) {
         p.Golden("b.npy", Npy(Random(9))).Target("b.npy", Npy(Random(8)));
       },
       1, 1},
      {"fail and unsure",
       [](Pair2& p) {
         p.Golden("b.npy", Npy(Random(9))).Target("b.npy", Npy(Random(8)));
         p.Golden("c.npy", Npy(Random(9, 2))).Target("c.npy", Npy(Random(9)));
       },
       1, 1},
      {"fail and error",
       [](Pair2& p) {
         p.Golden("b.npy", Npy(Random(9))).Target("b.npy", Npy(Random(8)));
         p.Both("c.npy", "\x93NUMPY");
       },
       2, 2},
  };
  for (const auto& row : kRows) {
    Pair2 pair;
    pair.Both("a.npy", Npy(x));
    row.add(pair);
    CompareOptions options = pair.options();
    EXPECT_EQ(MustCompare(options).exit, row.plain) << row.what;
    options.strict = true;
    EXPECT_EQ(MustCompare(options).exit, row.strict) << row.what << ", strict";
  }
}

TEST(ExitCode, MinCoverageIsOfEitherSide) {
  Pair2 pair;
  for (const char* name : {"a.npy", "b.npy", "c.npy"}) {
    pair.Both(name, Npy(Random(9)));
  }
  pair.Target("d.npy", Npy(Random(9)));
  const struct {
    double percent;
    int exit;
  } kRows[] = {{0, 0}, {74, 0}, {75, 0}, {75.1, 2}, {100, 2}};
  for (const auto& row : kRows) {
    for (CompareOptions options : {pair.options(), pair.swapped()}) {
      options.min_coverage = row.percent;
      EXPECT_EQ(MustCompare(options).exit, row.exit) << row.percent;
    }
  }
}

TEST(Noise, ThreeWay) {
  const auto x = Random(1000);
  const auto shaken = [&](double by) {
    return Npy(Changed(
        x, [=](double v, size_t i) { return v * (1 + (i % 2 ? by : -by)); }));
  };
  Pair2 pair;
  pair.Golden("good.npy", Npy(x)).Target("good.npy", shaken(5e-3));
  pair.Golden("bad.npy", Npy(x)).Target("bad.npy", shaken(2e-2));
  pair.Golden("zero.npy", Npy(x)).Target("zero.npy", shaken(1e-9));
  pair.Golden("none.npy", Npy(x)).Target("none.npy", shaken(5e-3));
  pair.tree().Write("noise/good.npy", shaken(-1e-3));
  pair.tree().Write("noise/bad.npy", shaken(-1e-3));
  pair.tree().Write("noise/zero.npy", Npy(x));
  CompareOptions options = pair.options();
  options.noise = pair.tree() / "noise";
  const Comparison c = MustCompare(options);
  const struct {
    std::string name, verdict, level;
  } kRows[] = {{"good", "pass", "measured"},
               {"bad", "fail", "measured"},
               {"zero", "pass", "type"},
               {"none", "unsure", "type"}};
  for (const auto& row : kRows) {
    EXPECT_EQ(VerdictOf(c, row.name), row.verdict);
    EXPECT_EQ(FindRow(c, row.name)->floor->level, row.level) << row.name;
  }
  options.judge.noise_factor = 100;
  EXPECT_EQ(VerdictOf(MustCompare(options), "bad"), "pass");
}

TEST(Noise, IsCalledWhatItIs) {
  Pair2 pair;
  pair.Both("a.npy", Npy(Random(9)));
  pair.tree().Write("noise/a-aten.add.Tensor.OUTPUT.0.20251010071211190258.npy",
                    Npy(Random(9)));
  CompareOptions options = pair.options();
  EXPECT_FALSE(MustCompare(options).noise);
  options.noise = pair.tree() / "noise";
  const Comparison c = MustCompare(options);
  EXPECT_EQ(c.noise->source, options.noise);
  EXPECT_EQ(c.noise->kind, "torchair-fx");
}

TEST(Noise, ASourceThatIsNotThereIsTrouble) {
  Pair2 pair;
  pair.Both("a.npy", Npy(Random(9)));
  CompareOptions options = pair.options();
  options.noise = pair.tree() / "nowhere";
  EXPECT_FALSE(TryCompare(options));
}

TEST(Metrics, OnlyThoseAskedFor) {
  Pair2 pair;
  pair.Golden("a.npy", Npy(Random(9))).Target("a.npy", Npy(Random(9, 2)));
  CompareOptions options = pair.options();
  options.metrics = {FindMetric("kl_softmax"), FindMetric("max_abs")};
  options.measure.extras.Need("kl_softmax");
  const Comparison c = MustCompare(options);
  const auto entries = c.rows[0].metrics.entries();
  ASSERT_EQ(entries.size(), 2u);
  EXPECT_EQ(entries[0].name, "max_abs");
  EXPECT_EQ(entries[1].name, "kl_softmax");
  EXPECT_TRUE(entries[1].value);
}

TEST(Worst, ElementsAreTheWorst) {
  const auto x = Random(60);
  auto y = x;
  y[17] += 5;
  y[42] -= 3;
  y[3] += 4;
  Pair2 pair;
  pair.Golden("a.npy", Npy(x, "3, 4, 5")).Target("a.npy", Npy(y, "3, 4, 5"));
  CompareOptions options = pair.options();
  options.worst = 2;
  const Comparison c = MustCompare(options);
  ASSERT_EQ(c.rows[0].worst.size(), 2u);
  EXPECT_EQ(c.rows[0].worst[0].index, (Shape{0, 3, 2}));
  EXPECT_EQ(c.rows[0].worst[1].index, (Shape{0, 0, 3}));
  EXPECT_EQ(c.rows[0].worst[0].target.AsDouble(), y[17]);
}

}  // namespace
}  // namespace assay
