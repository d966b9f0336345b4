#include "pipeline/read_choice.h"

namespace assay {

double ReadChoice::Tally::Rate() const {
  const uint64_t ns = nanoseconds.load(std::memory_order_relaxed);
  return ns == 0 ? 0
                 : static_cast<double>(bytes.load()) / static_cast<double>(ns);
}

ReadMode ReadChoice::Pick(uint64_t bytes) {
  if (bytes < kSmall) return ReadMode::kRead;
  const uint32_t trial = trials_.load(std::memory_order_relaxed);
  if (trial < kTrials) {
    const uint32_t mine = trials_.fetch_add(1);
    return mine % 2 == 0 ? ReadMode::kMap : ReadMode::kRead;
  }
  // The trials are few and noisy: mapping stays unless reading is clearly
  // ahead.
  constexpr double kClearly = 0.95;
  return map_.Rate() >= kClearly * read_.Rate() ? ReadMode::kMap
                                                : ReadMode::kRead;
}

void ReadChoice::Report(ReadMode mode, uint64_t bytes, uint64_t nanoseconds) {
  if (bytes < kSmall) return;
  Tally& tally = mode == ReadMode::kMap ? map_ : read_;
  tally.bytes.fetch_add(bytes, std::memory_order_relaxed);
  tally.nanoseconds.fetch_add(nanoseconds, std::memory_order_relaxed);
}

}  // namespace assay
