#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "base/result.h"
#include "core/comparison.h"
#include "core/dump.h"
#include "pipeline/compare.h"
#include "pipeline/talk.h"

namespace assay {

// A trusted run, and its rel_l2 against golden by golden tensor.
struct Noise {
  std::optional<SourceLabel> source;
  std::unordered_map<uint32_t, double> rel_l2;
};

// Empty where no trusted run was given.
Result<Noise> MeasureNoise(const Dump& golden, const CompareOptions& options,
                           const Talk& talk, const std::atomic<bool>& stop);

}  // namespace assay
