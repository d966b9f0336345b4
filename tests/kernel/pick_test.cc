#include "kernel/pick.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace assay {
namespace {

template <typename T>
void Check(size_t n, T low, T high) {
  std::vector<T> values(n), kept(n + kPickRoom), want;
  Picked seen;
  for (size_t i = 0; i < n; ++i) {
    values[i] = static_cast<T>(i * 7 % 11);
    seen.below += values[i] < low;
    seen.at_low += values[i] == low;
    seen.at_high += values[i] == high;
    if (values[i] > low && values[i] < high) want.push_back(values[i]);
  }
  const Picked found = PickBetween(values.data(), n, low, high, kept.data());
  EXPECT_EQ(found.below, seen.below);
  EXPECT_EQ(found.at_low, seen.at_low);
  EXPECT_EQ(found.at_high, seen.at_high);
  ASSERT_EQ(found.between, want.size());
  kept.resize(want.size());
  EXPECT_EQ(kept, want);
}

// float goes by vectors, and what is left of them one by one.
TEST(Pick, CountsAndKeeps) {
  for (const size_t n : {0u, 1u, 3u, 16u, 67u, 8192u}) {
    Check<float>(n, 3, 8);
    Check<float>(n, 4, 4);
    Check<double>(n, 3, 8);
    Check<int64_t>(n, -1, 20);
    Check<uint64_t>(n, 5, 6);
  }
}

}  // namespace
}  // namespace assay
