#include "kernel/extra_pass.h"

#include <gtest/gtest.h>

#include <cmath>

#include "arrays.h"
#include "core/plain_stats.h"

namespace assay {
namespace {

using Reals = std::vector<double>;
constexpr ExtraPasses kAll = {true, true, true};
constexpr auto kNone = std::nullopt;
using Maybe = std::optional<double>;

template <typename T>
constexpr TileType kTileOf = std::is_same_v<T, float>    ? TileType::kF32
                             : std::is_same_v<T, double> ? TileType::kF64
                                                         : TileType::kI64;

// In blocks of `block` elements.
template <typename G, typename T>
ExtraStats Extras(const std::vector<G>& g, const std::vector<T>& t,
                  const ExtraPasses& passes = kAll, size_t block = 3) {
  const PairStats stats = StatsOf(g, t);
  ExtraSums sums;
  for (size_t at = 0; at < g.size(); at += block) {
    AddExtras({.type = kTileOf<G>,
               .golden = g.data() + at,
               .target = t.data() + at,
               .n = std::min(block, g.size() - at),
               .base = at},
              passes, stats, sums);
  }
  return FinishExtras(sums, passes, stats);
}

// sum p ln(p / q) with p and q scaled to the sum 1.
double Divergence(Reals p, Reals q) {
  long double sum_p = 0, sum_q = 0, sum = 0;
  for (const double x : p) sum_p += x;
  for (const double x : q) sum_q += x;
  for (size_t i = 0; i < p.size(); ++i) {
    sum += p[i] / sum_p * std::log(p[i] / sum_p / (q[i] / sum_q));
  }
  return static_cast<double>(sum);
}

Reals MinMax(const Reals& x) {
  const double low = *std::min_element(x.begin(), x.end());
  const double high = *std::max_element(x.begin(), x.end());
  return Changed(x, [&](double v, size_t) {
    return std::max(low == high ? v : (v - low) / (high - low), 0x1p-23);
  });
}

Reals Exp(const Reals& x) {
  const double high = *std::max_element(x.begin(), x.end());
  return Changed(x, [&](double v, size_t) { return std::exp(v - high); });
}

void ExpectNear(const Maybe& got, const Maybe& wanted) {
  ASSERT_EQ(got.has_value(), wanted.has_value());
  if (!wanted) return;
  EXPECT_NEAR(*got, *wanted, 1e-12 * (1 + std::fabs(*wanted)));
}

TEST(ExtraPass, Divergences) {
  const Reals g = Random<double>(1000, 1);
  const Reals kTargets[] = {
      g,
      Scaled(g, 1.01),
      Random<double>(1000, 2),
      Changed(g, [](double x, size_t) { return x + 700; }),
      Changed(g, [](double, size_t) { return 3; }),    // constant
      Changed(g, [](double, size_t) { return -3; })};  // below zero
  for (const Reals& t : kTargets) {
    const ExtraStats got = Extras(g, t, kAll, 100);
    ExpectNear(got.kl_minmax, Divergence(MinMax(t), MinMax(g)));
    ExpectNear(got.kl_softmax, Divergence(Exp(g), Exp(t)));
  }
}

// Equal terms are all rounded in the same direction.
TEST(ExtraPass, DivergencesKeepWhatAdditionsRoundAway) {
  Reals g(100'000);
  for (size_t i = 0; i < g.size(); ++i) g[i] = 0.1 * static_cast<double>(i % 7);
  const Reals t =
      Changed(g, [](double x, size_t i) { return i % 2 ? x : x * 0.99; });
  const ExtraStats got = Extras(g, t, kAll, 8192);
  EXPECT_NEAR(*got.kl_minmax, Divergence(MinMax(t), MinMax(g)), 5e-16);
  EXPECT_NEAR(*got.kl_softmax, Divergence(Exp(g), Exp(t)), 5e-16);
}

TEST(ExtraPass, DivergencesAtTheEdge) {
  const struct {
    Reals golden, target;
    Maybe minmax, softmax;
  } kRows[] = {
      {{}, {}, kNone, kNone},
      {{NAN, 1}, {1, NAN}, kNone, kNone},
      {{2}, {5}, 0, 0},
      {{3, 3}, {3, 3}, 0, 0},
      {{3, 3}, {7, 7}, 0, 0},
      {{0, 0}, {0, 0}, 0, 0},
      {{1, 2, NAN}, {1, 2, 5}, 0, 0},  // only what is finite on both sides
      {{1, 2, 3}, {1, 2, HUGE_VAL}, 0, 0},
      {{0, 1000}, {1000, 0}, Divergence({1, 0x1p-23}, {0x1p-23, 1}), 1000},
  };
  for (const auto& row : kRows) {
    const ExtraStats got = Extras(row.golden, row.target);
    ExpectNear(got.kl_minmax, row.minmax);
    ExpectNear(got.kl_softmax, row.softmax);
  }
}

TEST(ExtraPass, Diffs) {
  const struct {
    Reals golden, target;
    Maybe diff1, max, mean, greater, less;
  } kRows[] = {
      {{}, {}, kNone, kNone, kNone, kNone, kNone},
      {{NAN}, {1}, kNone, kNone, kNone, kNone, kNone},
      {{2, -4}, {2, -4}, 0, 0, 0, 0, 0},
      {{0, 0}, {0, 0}, 0, 0, 0, 0, 0},
      {{0, 0}, {1, -3}, kNone, 3, 2, 0.5, 0.5},
      {{2, -4, 1},
       {3, -4, 0.5},
       1.5 / 7,
       1 / (2 + 1e-9),
       (1 / (2 + 1e-9) + 0.5 / (1 + 1e-9)) / 3,
       0.5,
       0.5},
      {{1e-7, 1}, {3e-7, 1}, 2e-7 / (1 + 1e-7), 2e-7, 1e-7, 1, 0},
      {{1, HUGE_VAL, NAN, 1},
       {0, 1, 1, 1},
       0.5,
       1 / (1 + 1e-9),
       0.5 / (1 + 1e-9),
       0,
       1},
      {{1e308, 1e308}, {-1e308, -1e308}, kNone, kNone, kNone, 0, 1},
      {{1.5e308, 1.5e308, 0}, {1.5e308, 1.5e308, 3}, kNone, 3, 1, 1, 0},
  };
  for (const auto& row : kRows) {
    const ExtraStats got = Extras(row.golden, row.target);
    ExpectNear(got.diff1, row.diff1);
    ExpectNear(got.diff3_max, row.max);
    ExpectNear(got.diff3_mean, row.mean);
    ExpectNear(got.greater_share, row.greater);
    ExpectNear(got.less_share, row.less);
  }
}

TEST(ExtraPass, WholeNumbersAreExact) {
  constexpr int64_t kBig = int64_t{1} << 62;
  const auto near = Extras(std::vector<int64_t>{kBig, kBig},
                           std::vector<int64_t>{kBig + 1, kBig - 1});
  EXPECT_EQ(near.greater_share, 0.5);
  EXPECT_EQ(near.less_share, 0.5);
  EXPECT_EQ(near.diff1, 0x1p-62);
  const auto high = Extras(std::vector<uint64_t>{~0ull, 1},
                           std::vector<uint64_t>{1ull << 63, 1});
  EXPECT_EQ(high.less_share, 1);  // 2^64-1 is not -1
  EXPECT_NEAR(*high.diff1, 0.5, 1e-12);
  const auto mixed =
      Extras(std::vector<uint64_t>{~0ull}, std::vector<int64_t>{-1});
  EXPECT_EQ(mixed.less_share, 1);
  EXPECT_EQ(mixed.diff1, 1);
}

TEST(ExtraPass, RunsOnlyWhatIsNeeded) {
  const struct {
    std::string_view metric;
    bool minmax, softmax, teco;
  } kRows[] = {
      {"cosine", false, false, false},    {"kl_minmax", true, false, false},
      {"kl_softmax", false, true, false}, {"diff1", false, false, true},
      {"diff3_max", false, false, true},  {"diff4_less", false, false, true},
  };
  for (const auto& row : kRows) {
    ExtraPasses passes;
    passes.Need(row.metric);
    EXPECT_EQ(passes.any(), row.minmax || row.softmax || row.teco);
    const ExtraStats got = Extras(Reals{1, 2}, Reals{1, 3}, passes);
    EXPECT_EQ(got.kl_minmax.has_value(), row.minmax) << row.metric;
    EXPECT_EQ(got.kl_softmax.has_value(), row.softmax) << row.metric;
    EXPECT_EQ(got.diff3_mean.has_value(), row.teco) << row.metric;
  }
}

TEST(ExtraPass, FloatsAndBlocksDoNotMatter) {
  const auto g = Random<float>(500, 1), t = Random<float>(500, 2);
  const Reals gd(g.begin(), g.end()), td(t.begin(), t.end());
  const ExtraStats wanted = Extras(gd, td, kAll, 500);
  for (const size_t block : {1, 7, 500}) {
    const ExtraStats got = Extras(g, t, kAll, block);
    ExpectNear(got.kl_minmax, wanted.kl_minmax);
    ExpectNear(got.kl_softmax, wanted.kl_softmax);
    ExpectNear(got.diff1, wanted.diff1);
    ExpectNear(got.diff3_mean, wanted.diff3_mean);
  }
}

}  // namespace
}  // namespace assay
