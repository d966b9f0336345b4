#include "base/parallel.h"

#include <sched.h>

#include <algorithm>
#include <numeric>
#include <thread>
#include <vector>

namespace assay {

void ParallelFor(size_t n, int threads,
                 const std::function<void(size_t item, size_t worker)>& body,
                 const std::atomic<bool>* stop) {
  std::atomic<size_t> cursor = 0;
  const auto work = [&](size_t worker) {
    while (stop == nullptr || !stop->load(std::memory_order_relaxed)) {
      const size_t i = cursor.fetch_add(1, std::memory_order_relaxed);
      if (i >= n) return;
      body(i, worker);
    }
  };
  std::vector<std::jthread> helpers;
  const auto wanted =
      std::min<size_t>(static_cast<size_t>(std::max(threads, 1)), n);
  for (size_t k = 1; k < wanted; ++k) helpers.emplace_back(work, k);
  work(0);
}

void ParallelBySize(const std::vector<uint64_t>& sizes, int threads,
                    const std::function<void(size_t item, int threads)>& body,
                    const std::atomic<bool>* stop) {
  constexpr uint64_t kLarge = 64 << 20;
  std::vector<size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, std::greater(),
                           [&](size_t item) { return sizes[item]; });
  size_t large = 0;
  for (; large < order.size() && sizes[order[large]] >= kLarge; ++large) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) return;
    body(order[large], threads);
  }
  ParallelFor(
      order.size() - large, threads,
      [&](size_t i, size_t) { body(order[large + i], 1); }, stop);
}

int DefaultThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace assay
