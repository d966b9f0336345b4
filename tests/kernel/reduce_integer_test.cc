#include <gtest/gtest.h>

#include "arrays.h"
#include "core/plain_stats.h"
#include "core/same_stats.h"
#include "kernel/reduce.h"

namespace assay {
namespace {

using Signed = std::vector<int64_t>;
using Unsigned = std::vector<uint64_t>;

constexpr int64_t kBig = int64_t{1} << 62;
constexpr uint64_t kHalf = uint64_t{1} << 63;

template <typename T>
IntegerTile Tile(const std::vector<T>& values, size_t at = 0) {
  return {reinterpret_cast<const int64_t*>(values.data()) + at,
          std::is_unsigned_v<T>};
}

template <typename G, typename T>
PairStats Reduced(const std::vector<G>& g, const std::vector<T>& t,
                  size_t block = kBlock) {
  PairStats stats;
  for (size_t at = 0; at < g.size(); at += block) {
    ReduceIntegers(Tile(g, at), Tile(t, at), std::min(block, g.size() - at), at,
                   {}, stats);
  }
  return stats;
}

template <typename G, typename T>
void ExpectPlainResult(const std::vector<G>& g, const std::vector<T>& t) {
  ExpectSameStats(Reduced(g, t), StatsOf(g, t));
  ExpectSameStats(Reduced(g, t, 1), StatsOf(g, t));
}

TEST(ReduceIntegers, AgreesWithAPlainLoop) {
  ExpectPlainResult(Signed{}, Signed{});
  ExpectPlainResult(Signed{0}, Signed{0});
  ExpectPlainResult(Signed{0, -5, 1000}, Signed{3, -5, 1001});
  ExpectPlainResult(Signed{kBig, kBig}, Signed{kBig, kBig + 1});
  ExpectPlainResult(Signed{INT64_MIN, INT64_MAX}, Signed{INT64_MAX, INT64_MIN});
  ExpectPlainResult(Unsigned{0, kHalf, ~0ull}, Unsigned{~0ull, kHalf + 1, 0});
  ExpectPlainResult(Unsigned{kHalf, 0}, Signed{INT64_MIN, -1});
  ExpectPlainResult(Signed{-1, 5}, Unsigned{~0ull, 5});
}

TEST(ReduceIntegers, LongTensors) {
  const auto scale = [](double x, size_t) { return x * 1000; };
  const auto g = Changed(Signed(3 * kBlock + 5), [](double, size_t i) {
    return static_cast<double>(i * 7919 % 10007) - 5000;
  });
  const auto t = Changed(g, [](double x, size_t i) {
    return x + (i % 5 == 0 ? static_cast<double>(i % 13) : 0);
  });
  ExpectPlainResult(g, t);
  ExpectPlainResult(Changed(g, scale), Changed(t, scale));
}

TEST(ReduceIntegers, DifferencesAreExact) {
  const struct {
    PairStats stats;
    NumberKind kind;
    uint64_t max_abs;
    uint64_t equal;
  } kRows[] = {
      {Reduced(Signed{kBig}, Signed{kBig + 1}), NumberKind::kUnsigned, 1, 0},
      {Reduced(Signed{INT64_MIN}, Signed{INT64_MAX}), NumberKind::kUnsigned,
       ~0ull, 0},
      {Reduced(Unsigned{~0ull}, Unsigned{~0ull - 1}), NumberKind::kUnsigned, 1,
       0},
      {Reduced(Signed{kBig}, Unsigned{1ull << 62}), NumberKind::kReal, 0, 1},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(row.stats.diff_kind, row.kind);
    EXPECT_EQ(row.stats.max_abs.uint, row.max_abs);
    EXPECT_EQ(row.stats.equal, row.equal);
  }
  // 65 bits: a real, rounded once.
  const PairStats wide = Reduced(Unsigned{~0ull}, Signed{INT64_MIN});
  EXPECT_EQ(wide.max_abs.real, 0x1.8p64);
  EXPECT_EQ(wide.max_golden.uint, ~0ull);
  EXPECT_EQ(wide.min_target.sint, INT64_MIN);
}

TEST(ReduceIntegers, TheFirstOfEqualsWins) {
  const PairStats s = Reduced(Signed{4, 4, 4, 0}, Signed{4, 5, 3, 1}, 2);
  EXPECT_EQ(s.max_abs_at, 1u);
  EXPECT_EQ(s.max_rel_at, 1u);
}

}  // namespace
}  // namespace assay
