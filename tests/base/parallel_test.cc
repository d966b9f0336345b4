#include "base/parallel.h"

#include <gtest/gtest.h>

#include <vector>

namespace assay {
namespace {

TEST(Parallel, EveryItemOnce) {
  const struct {
    size_t items;
    int threads;
  } kRows[] = {{0, 4}, {1, 4}, {5, 1}, {5, 0}, {5, -3}, {1000, 4}, {3, 8}};
  for (const auto& row : kRows) {
    std::vector<std::atomic<int>> seen(row.items);
    std::atomic<size_t> top = 0;
    ParallelFor(row.items, row.threads, [&](size_t item, size_t worker) {
      ++seen[item];
      if (worker > top) top = worker;
    });
    for (const auto& n : seen) EXPECT_EQ(n, 1);
    EXPECT_LT(top, static_cast<size_t>(std::max(row.threads, 1)));
  }
}

TEST(Parallel, AWorkerIsOneThreadAtATime) {
  std::vector<std::atomic<int>> busy(4);
  std::atomic<int> clashes = 0;
  ParallelFor(2000, 4, [&](size_t, size_t worker) {
    clashes += busy[worker].fetch_add(1) != 0;
    --busy[worker];
  });
  EXPECT_EQ(clashes, 0);
}

TEST(Parallel, TakesItemsInOrder) {
  std::vector<size_t> order;
  ParallelFor(50, 1, [&](size_t item, size_t) { order.push_back(item); });
  ASSERT_EQ(order.size(), 50u);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Parallel, Stops) {
  std::atomic<bool> stop = false;
  std::atomic<size_t> calls = 0;
  const auto body = [&](size_t item, size_t) {
    ++calls;
    if (item == 10) stop = true;
  };
  ParallelFor(1000000, 1, body, &stop);
  EXPECT_EQ(calls, 11u);
  ParallelFor(1000000, 4, body, &stop);  // set before the start
  EXPECT_EQ(calls, 11u);
  stop = false, calls = 0;
  ParallelFor(1000000, 4, body, &stop);
  EXPECT_LT(calls, 1000000u);
}

TEST(Parallel, LargeItemsComeFirstWithAllThreads) {
  const std::vector<uint64_t> sizes = {5, 200 << 20, 0, 64 << 20, 5, 300 << 20};
  std::vector<size_t> order;
  ParallelBySize(sizes, 1, [&](size_t item, int) { order.push_back(item); });
  EXPECT_EQ(order, (std::vector<size_t>{5, 1, 3, 0, 4, 2}));
  std::vector<std::atomic<int>> used(sizes.size());
  ParallelBySize(sizes, 3, [&](size_t item, int t) { used[item] += t; });
  for (size_t i = 0; i < sizes.size(); ++i) {
    EXPECT_EQ(used[i], sizes[i] < (64 << 20) ? 1 : 3) << i;
  }
  std::atomic<bool> stop = true;
  ParallelBySize(
      sizes, 3, [&](size_t, int) { FAIL(); }, &stop);
}

TEST(Parallel, HasThreads) { EXPECT_GE(DefaultThreads(), 1); }

}  // namespace
}  // namespace assay
