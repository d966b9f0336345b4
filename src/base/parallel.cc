#include "base/parallel.h"

#include <sched.h>

#include <algorithm>
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

int DefaultThreads() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace assay
