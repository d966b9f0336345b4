// Where a limit is met exactly, and which of several elements is named.
#include <gtest/gtest.h>

#include <cmath>

#include "core/plain_stats.h"
#include "core/same_stats.h"
#include "kernel/reduced.h"

namespace assay {
namespace {

// 1/1000 and 5/1000 exactly, and the floats next to them.
TEST(Reduce, CountsExactlyAtTheLimits) {
  std::vector<float> g, t;
  for (int i = 1; i < 400; ++i) {
    for (const float step : {1.0f, 5.0f}) {
      const float at = static_cast<float>(i) * (1000 + step);
      for (const float x :
           {at, std::nextafter(at, 0.0f), std::nextafter(at, 1e9f)}) {
        g.push_back(static_cast<float>(i) * 1000);
        t.push_back(x);
      }
    }
  }
  for (const ReduceKernels* kernels : AvailableKernels()) {
    ExpectSameCounts(Reduced(*kernels, g, t, 0, g.size()), StatsOf(g, t));
  }
}

TEST(Reduce, TheFirstOfEqualsWins) {
  const std::vector<float> g(3 * kBlock, 2.0f);
  for (const size_t at : {size_t{0}, size_t{7}, size_t{100}, kBlock + 3}) {
    auto t = g;
    for (size_t i = at; i < t.size(); i += 10) t[i] = 3;
    for (const ReduceKernels* kernels : AvailableKernels()) {
      const PairStats s = Reduced(*kernels, g, t, 0, g.size());
      EXPECT_EQ(s.max_abs_at, at);
      EXPECT_EQ(s.max_rel_at, at);
    }
  }
}

TEST(Reduce, SeesHowManyFractionBitsAreUsed) {
  const struct {
    std::vector<float> values;
    int bits;
  } kRows[] = {{{0, 1, 2}, 0},
               {{1.5f, 4}, 1},
               {{1 + 0x1p-10f, 8}, 10},
               {{1 + 0x1p-23f}, 23},
               {{NAN, 1.25f, INFINITY}, 2}};
  for (const auto& row : kRows) {
    const auto& k = *AvailableKernels()[0];
    const size_t n = row.values.size();
    EXPECT_EQ(Reduced(k, row.values, row.values, 0, n).fraction_bits_golden,
              row.bits);
  }
}

}  // namespace
}  // namespace assay
