// What a comparison must say, line by line of the acceptance text.
#include "pipeline/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "pipeline/compare_with.h"
#include "test_paths.h"

namespace assay {
namespace {

const std::string kSamples = TestData("codecs");

TEST(Compare, ADumpAgainstItselfPasses) {
  const Comparison c = MustCompare(Options(kSamples, kSamples));
  ExpectConsistent(c);
  EXPECT_GT(c.rows.size(), 60u);
  for (const Row& row : c.rows) {
    if (row.error) continue;  // samples that must be refused
    const bool nothing = row.golden.front().dtype == "opaque" ||
                         row.why == "no statistic is known on both sides";
    const bool fine =
        row.verdict == Verdict::kPass || row.verdict == Verdict::kTrivial;
    EXPECT_EQ(fine, !nothing) << row.name << ": " << row.why;
  }
  EXPECT_TRUE(c.unpaired.empty());
}

TEST(Compare, OneRowOfEachKind) {
  const auto x = Random(1000);
  const struct {
    std::string what, golden, target, verdict, why;
    int exit;
  } kRows[] = {
      {"NaN", Npy(x), Npy(With(x, 3, NAN)), "fail", "NaN/Inf differ", 1},
      {"zeros", Npy(std::vector<float>(9)), Npy(std::vector<float>(9)),
       "trivial", "all zero on both sides", 0},
      {"f16", Npy(x), HalfNpy(x), "pass", "rounding to f16", 0},
      {"widened f16", Npy(x), Npy(Rounded(x, 11)), "pass", "seen in the bits",
       0},
      {"f16 scaled", Npy(x), HalfNpy(Scaled(x, 1.01)), "fail", "pure scale", 1},
      {"shape", Npy(x), Npy(Random(999)), "fail",
       "shape mismatch: golden [1000], target [999]", 1},
      {"flat", Npy(x, "10, 100"), Npy(x), "pass",
       "shapes differ, compared flat: golden [10,100], target [1000]", 0},
      {"kind", Npy(x), NpyBytes("<c8", "1000,", std::string(8000, '\0')),
       "fail", "kind mismatch: golden is f32, target is c64", 1},
      {"order", Npy(x), Npy(std::vector<float>(x.rbegin(), x.rend())), "fail",
       "the same values in another order", 1},
      {"other values", Npy(x), Npy(Random(1000, 2)), "unsure", "rounding to",
       3},
      {"integers", Npy(std::vector<int32_t>{1, 2, 3}),
       Npy(std::vector<int32_t>{1, 2, 4}), "unsure", "1 of 3 integers differ",
       3},
      {"cut", Npy(x), Npy(x).substr(0, 3000), "error", "shape needs", 2},
      {"text", NpyBytes("<U1", "1,", "abcd"), NpyBytes("<U1", "1,", "abcd"),
       "skipped", "golden holds no numbers", 2},
      {"empty", Npy(std::vector<float>()), Npy(std::vector<float>()), "trivial",
       "both sides are empty", 0},
  };
  for (const auto& row : kRows) {
    Pair2 pair;
    pair.Golden("x.npy", row.golden).Target("x.npy", row.target);
    const Comparison c = pair.Compared();
    ExpectConsistent(c);
    ASSERT_EQ(c.rows.size(), 1u) << row.what;
    EXPECT_EQ(Name(c.rows[0].verdict), row.verdict) << row.what;
    EXPECT_NE(c.rows[0].why.find(row.why), std::string::npos)
        << row.what << ": " << c.rows[0].why;
    EXPECT_EQ(c.exit, row.exit) << row.what;
  }
}

TEST(Compare, OrderIsOnlyClaimedWithEnoughValues) {
  const auto reversed = [](size_t n) {
    const auto x = Random(n);
    Pair2 pair;
    pair.Golden("x.npy", Npy(x));
    pair.Target("x.npy", Npy(std::vector<float>(x.rbegin(), x.rend())));
    return VerdictOf(pair.Compared(), "x");
  };
  EXPECT_EQ(reversed(63), "unsure");
  EXPECT_EQ(reversed(64), "fail");
}

// Two signs that rounding turned, two neighbours of a sort.
TEST(Compare, OrderOfFewValuesIsOnlyClaimedWhereManyMoved) {
  std::vector<float> signs;
  std::vector<int32_t> indices;
  for (const float x : Random(256)) {
    signs.push_back(x < 0 ? -1.0f : 1.0f);
    indices.push_back(static_cast<int32_t>(indices.size()));
  }
  const auto verdict = [](const auto& golden, const auto& target,
                          const std::string& type = "Mul") {
    const std::string file = type + ".a.1.2.1700000000000000.output.0.npy";
    Pair2 pair;
    pair.Golden(file, Npy(golden)).Target(file, Npy(target));
    return std::string(Name(pair.Compared().rows.at(0).verdict));
  };
  const auto reversed = [](auto values) {
    std::ranges::reverse(values);
    return values;
  };
  const auto swapped = [](auto values) {
    const auto other = std::ranges::find_if(
        values, [&](auto value) { return value != values[0]; });
    std::iter_swap(values.begin(), other);
    return values;
  };
  EXPECT_EQ(verdict(signs, swapped(signs)), "unsure");
  EXPECT_EQ(verdict(signs, reversed(signs)), "fail");
  EXPECT_EQ(verdict(indices, swapped(indices)), "unsure");
  EXPECT_EQ(verdict(indices, reversed(indices)), "fail");
  EXPECT_EQ(verdict(indices, reversed(indices), "TopKD"), "unsure");
  EXPECT_EQ(verdict(Random(256), swapped(Random(256))), "fail");
}

TEST(Compare, ACutFileCostsOneRow) {
  const std::string good = Npy(Random(100));
  Pair2 pair;
  for (const char* name : {"a.npy", "b.npy", "c.npy"}) pair.Both(name, good);
  pair.Target("b.npy", good.substr(0, good.size() - 1));
  const Comparison c = pair.Compared();
  ExpectConsistent(c);
  EXPECT_EQ(VerdictOf(c, "a"), "pass");
  EXPECT_EQ(VerdictOf(c, "b"), "error");
  EXPECT_EQ(VerdictOf(c, "c"), "pass");
  EXPECT_EQ(c.exit, 2);
  EXPECT_EQ(c.golden_coverage.error, 1u);
  EXPECT_EQ(c.target_coverage.error, 1u);
}

// The tensors of an archive that cannot be opened are not merely "unpaired".
TEST(Compare, ACutArchiveIsAnError) {
  const std::string archive = Content(kSamples + "/stored.npz");
  Pair2 pair;
  pair.Both("a.npy", Npy(Random(100))).Golden("w.npz", archive);
  pair.Target("w.npz", archive.substr(0, archive.size() / 2));
  for (const CompareOptions& options : {pair.options(), pair.swapped()}) {
    const Comparison c = MustCompare(options);
    ExpectConsistent(c);
    EXPECT_EQ(c.exit, 2);
    EXPECT_EQ(c.rows.size(), 5u);
    EXPECT_EQ(c.counts[static_cast<size_t>(Verdict::kError)], 4u);
    EXPECT_TRUE(c.unpaired.empty());
  }
}

TEST(Compare, NothingInCommonIsTrouble) {
  Pair2 pair;
  pair.Golden("a.npy", Npy(Random(9))).Target("zzzz.npy", Npy(Random(9)));
  pair.Golden("b.npy", Npy(Random(9)));
  const Comparison c = pair.Compared();
  ExpectConsistent(c);
  EXPECT_EQ(c.exit, 2);
  EXPECT_EQ(Name(c.verdict), "error");
  EXPECT_EQ(c.unpaired.size(), 3u);
}

TEST(Compare, SwappedSidesMirror) {
  const auto x = Random(500);
  Pair2 pair;
  pair.Golden("x.npy", Npy(x)).Target("x.npy", Npy(Random(500, 3)));
  pair.Golden("half.npy", Npy(x)).Target("half.npy", HalfNpy(x));
  pair.Golden("only_golden.npy", Npy(x)).Target("new.npy", Npy(x));
  const Comparison a = pair.Compared(), b = MustCompare(pair.swapped());
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (size_t i = 0; i < a.rows.size(); ++i) {
    for (const char* metric : {"max_abs", "rmse", "cosine", "equal"}) {
      EXPECT_EQ(a.rows[i].metrics.Get(metric), b.rows[i].metrics.Get(metric));
    }
  }
  std::set<std::string> golden_a, target_b;
  for (const auto& u : a.unpaired) {
    if (u.side == Side::kGolden) golden_a.insert(u.name);
  }
  for (const auto& u : b.unpaired) {
    if (u.side == Side::kTarget) target_b.insert(u.name);
  }
  EXPECT_EQ(golden_a, std::set<std::string>{"only_golden"});
  EXPECT_EQ(golden_a, target_b);
}

TEST(Compare, EveryTensorAppearsOnce) {
  Pair2 pair;
  for (const char* name : {"a.npy", "d/b.npy", "conv.0.1700000000000.npy"}) {
    pair.Both(name, Npy(Random(9)));
  }
  pair.Golden("x/y.npy", Npy(Random(9))).Golden("x_y.npy", Npy(Random(9)));
  pair.Target("x.y.npy", Npy(Random(9))).Target("cut.npy", "\x93NUMPY");
  pair.Both("w.npz", Content(kSamples + "/stored.npz"));
  for (const std::string only : {"", "a", "zzz"}) {
    CompareOptions options = pair.options();
    options.pair.only = only;
    const Comparison c = MustCompare(options);
    ExpectConsistent(c);
    std::multiset<std::string> golden, target;
    for (const Row& row : c.rows) {
      golden.insert(row.golden[0].file + row.golden[0].tensor);
      target.insert(row.target[0].file + row.target[0].tensor);
    }
    EXPECT_EQ(golden.size(), std::set(golden.begin(), golden.end()).size());
    EXPECT_EQ(target.size(), std::set(target.begin(), target.end()).size());
    EXPECT_EQ(c.golden_coverage.total, 9u);
    EXPECT_EQ(c.target_coverage.total, 9u);
    EXPECT_EQ(golden.size() + target.size() + c.unpaired.size(), 18u);
  }
}

TEST(Compare, MissingMetricsHaveAReason) {
  const auto x = Random(100);
  Pair2 pair;
  pair.Both("equal.npy", Npy(x)).Both("zero.npy", Npy(std::vector<float>(9)));
  pair.Golden("g0.npy", Npy(std::vector<float>(100))).Target("g0.npy", Npy(x));
  pair.Both("nan.npy", Npy(std::vector<float>(9, NAN)));
  pair.Both("empty.npy", Npy(std::vector<float>()));
  pair.Both("huge.npy", Npy(std::vector<double>{1e300, 2e300}));
  const Comparison c = pair.Compared();
  for (const Row& row : c.rows) {
    for (const auto& [name, value] : row.metrics.entries()) {
      if (value) continue;
      EXPECT_NE(row.why.find(';'), std::string::npos)
          << row.name << " lacks " << name << ": " << row.why;
    }
  }
}

}  // namespace
}  // namespace assay
