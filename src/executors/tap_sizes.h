#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "executors/ort_session.h"

namespace assay::ort {

// How much memory taps need: as many are fetched in one run as it allows.
class TapSizes {
 public:
  explicit TapSizes(uint64_t max_memory)
      : max_memory_(max_memory), guess_(max_memory / 16) {}

  // What is known before a run.
  void Note(std::span<const OutputType> outputs);
  // Where most of these taps are known, the others will be like them.
  void GuessFrom(std::span<const std::string> taps);
  // What came out of a run.
  void LearnFrom(std::span<const Fetched> values,
                 std::span<const std::string> names);

  // How many of the first of these taps need no more memory than allowed; one
  // at least.
  size_t Batch(std::span<const std::string> taps) const;

 private:
  uint64_t max_memory_;
  std::unordered_map<std::string, uint64_t> known_;
  uint64_t guess_;  // for the others
};

}  // namespace assay::ort
