#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace assay {

// What somebody else may look at while work is done; a new piece of work starts
// from zero.
struct ProgressCount {
  std::atomic<uint64_t> done = 0, total = 0;
};

// A bar with rate and time left on a terminal's stderr; nothing elsewhere.
// Workers only add to a counter; a thread of its own draws.
class Progress {
 public:
  enum class Unit : uint8_t { kBytes, kItems };

  // `total` 0: not known yet. Draws only if `shown`; counts into `seen` too.
  Progress(std::string what, uint64_t total, Unit unit, bool shown,
           ProgressCount* seen = nullptr);
  ~Progress();  // removes the bar

  void Add(uint64_t amount) {
    done_.fetch_add(amount, std::memory_order_relaxed);
    if (seen_) seen_->done.fetch_add(amount, std::memory_order_relaxed);
  }

  // One line: "measuring  [####    ] 52 %  1.2 GiB/s  3 s left".
  static std::string Line(const std::string& what, uint64_t done,
                          uint64_t total, Unit unit, double seconds);

 private:
  void Draw();

  const std::string what_;
  const uint64_t total_;
  const Unit unit_;
  ProgressCount* const seen_;
  std::atomic<uint64_t> done_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool finished_ = false;
  std::jthread drawer_;
};

// Is stderr a terminal that a bar can be drawn on?
bool CanShowProgress();

}  // namespace assay
