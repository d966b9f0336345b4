#include "pipeline/read_choice.h"

namespace assay {

double ReadChoice::Tally::Rate() const {
  const uint64_t ns = nanoseconds.load(std::memory_order_relaxed);
  return ns == 0 ? 0
                 : static_cast<double>(bytes.load()) / static_cast<double>(ns);
}

ReadMode ReadChoice::Faster() const {
  // To unmap interrupts the other threads, which the rates do not show.
  constexpr double kClearly = 1.05;
  return map_.Rate() >= kClearly * read_.Rate() ? ReadMode::kMap
                                                : ReadMode::kRead;
}

ReadMode ReadChoice::Pick(uint64_t bytes) {
  if (bytes < kSmall) return ReadMode::kRead;
  const uint32_t pick = picks_.fetch_add(1, std::memory_order_relaxed);
  if (pick < warm_up_ + kTrials) {
    return pick % 2 == 0 ? ReadMode::kMap : ReadMode::kRead;
  }
  const ReadMode faster = Faster();
  if (pick % kAgain != 0) return faster;
  return faster == ReadMode::kMap ? ReadMode::kRead : ReadMode::kMap;
}

void ReadChoice::Report(ReadMode mode, uint64_t bytes, uint64_t nanoseconds) {
  if (bytes < kSmall || reports_.fetch_add(1) < warm_up_) return;
  Tally& tally = mode == ReadMode::kMap ? map_ : read_;
  tally.bytes.fetch_add(bytes, std::memory_order_relaxed);
  tally.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed);
}

}  // namespace assay
