#include "core/pair_stats.h"

#include <gtest/gtest.h>

#include "arrays.h"
#include "core/plain_stats.h"
#include "core/same_stats.h"

namespace assay {
namespace {

using Reals = std::vector<double>;
constexpr double kNaN = NAN;
constexpr uint64_t kNowhere = PairStats::kNowhere;

// The statistics of elements [begin, end), with places in the whole tensor.
template <typename T>
PairStats Part(const std::vector<T>& g, const std::vector<T>& t, size_t begin,
               size_t end) {
  const auto cut = [&](const std::vector<T>& v) {
    return std::vector<T>(v.begin() + static_cast<ptrdiff_t>(begin),
                          v.begin() + static_cast<ptrdiff_t>(end));
  };
  PairStats part = StatsOf(cut(g), cut(t));
  for (uint64_t* at :
       {&part.max_abs_at, &part.max_rel_at, &part.one_sided_at}) {
    if (*at != kNowhere) *at += begin;
  }
  return part;
}

// Whole against merged from pieces of every length.
template <typename T>
void ExpectMerges(const std::vector<T>& g, const std::vector<T>& t) {
  const PairStats whole = StatsOf(g, t);
  for (size_t piece = 1; piece <= g.size() + 1; ++piece) {
    PairStats merged;
    for (size_t at = 0; at < g.size(); at += piece) {
      merged.Merge(Part(g, t, at, std::min(at + piece, g.size())));
      merged.Merge({});
    }
    ExpectSameStats(merged, whole);
  }
}

TEST(PairStats, MergesPieces) {
  const auto far = [](double x, size_t) { return 1000 + x; };
  const Reals g = Changed(Random<double>(60), far);
  const Reals t = Changed(g, [](double x, size_t i) {
    return i % 3 == 0 ? x : x * (1 + 1e-3 * static_cast<double>(i % 7));
  });
  ExpectMerges(g, t);
  ExpectMerges(With(With(With(g, 7, kNaN), 9, HUGE_VAL), 8, 0.0),
               With(With(With(t, 1, kNaN), 9, -HUGE_VAL), 50, 0.0));
  ExpectMerges(Reals{NAN, NAN, 0, 0, 2}, Reals{NAN, 1, 0, 1, 3});
  ExpectMerges(Reals{}, Reals{});
}

TEST(PairStats, MergesIntegers) {
  constexpr int64_t kBig = int64_t{1} << 62;
  ExpectMerges(std::vector<int64_t>{kBig, 5, INT64_MIN, 0},
               std::vector<int64_t>{kBig + 1, 5, INT64_MAX, -1});
  ExpectMerges(std::vector<uint64_t>{1ull << 63, 7, ~0ull},
               std::vector<uint64_t>{(1ull << 63) + 1, 6, 0});
}

TEST(PairStats, TheFirstOfEqualsWins) {
  const struct {
    Reals golden, target;
    uint64_t max_abs_at, max_rel_at, one_sided_at;
  } kRows[] = {
      {{1, 1, 1}, {2, 0, 2}, 0, 0, kNowhere},
      {{1, 2, 1}, {1, 3, 2}, 1, 2, kNowhere},
      {{0, 0, 4}, {1, 1, 4}, 0, 2, kNowhere},
      {{0, 0, 0}, {0, 0, 0}, 0, kNowhere, kNowhere},
      {{NAN, 1, 1}, {NAN, NAN, HUGE_VAL}, kNowhere, kNowhere, 1},
      {{HUGE_VAL, HUGE_VAL, 3}, {HUGE_VAL, -HUGE_VAL, 3}, 2, 2, 1},
  };
  for (const auto& row : kRows) {
    PairStats s;
    for (size_t i = 0; i < 3; ++i) {
      s.Merge(Part(row.golden, row.target, i, i + 1));
    }
    EXPECT_EQ(s.max_abs_at, row.max_abs_at);
    EXPECT_EQ(s.max_rel_at, row.max_rel_at);
    EXPECT_EQ(s.one_sided_at, row.one_sided_at);
  }
}

TEST(PairStats, KeepsTheFinestFraction) {
  PairStats a, b;
  a.fraction_bits_golden = 10, b.fraction_bits_golden = 23;
  a.fraction_bits_target = 7, b.fraction_bits_target = 0;
  a.Merge(b);
  EXPECT_EQ(a.fraction_bits_golden, 23);
  EXPECT_EQ(a.fraction_bits_target, 7);
}

TEST(PairStats, SumsSquares) {
  const PairStats s = StatsOf(Reals{3, -4}, Reals{1, 2});
  EXPECT_DOUBLE_EQ(s.SumSquaresGolden(), 25);
  EXPECT_DOUBLE_EQ(s.SumSquaresTarget(), 5);
}

}  // namespace
}  // namespace assay
