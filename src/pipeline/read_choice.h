#pragma once

#include <atomic>
#include <cstdint>

#include "kernel/block_source.h"

namespace assay {

// Chooses between reading and mapping. Neither wins everywhere: mapping is
// ahead where the page cache holds large pages, reading where it holds small
// ones or the file is cold. So the first large items try both, and the rest
// follow the faster one; now and then one tries the other again, because single
// items differ by more than the modes do. The numbers read are the same either
// way.
class ReadChoice {
 public:
  explicit ReadChoice(int threads)
      : warm_up_(2 * static_cast<uint32_t>(threads)) {}

  ReadMode Pick(uint64_t bytes);
  void Report(ReadMode mode, uint64_t bytes, uint64_t nanoseconds);

 private:
  static constexpr uint64_t kSmall = 1 << 20;  // mapping cannot pay below
  static constexpr uint32_t kTrials = 6;       // of both modes together
  static constexpr uint32_t kAgain = 16;       // items from trial to trial

  struct Tally {
    std::atomic<uint64_t> bytes = 0, nanoseconds = 0;
    double Rate() const;
  };
  ReadMode Faster() const;

  // What a thread does first is slow, whatever it is, and tells nothing.
  const uint32_t warm_up_;
  std::atomic<uint32_t> picks_ = 0, reports_ = 0;
  Tally read_, map_;
};

}  // namespace assay
