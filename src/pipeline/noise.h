#pragma once

#include <atomic>
#include <cstdint>
#include <unordered_map>

#include "base/result.h"
#include "core/dump.h"
#include "pipeline/compare.h"
#include "pipeline/talk.h"

namespace assay {

// rel_l2 of a trusted run against golden, by golden tensor.
using Noise = std::unordered_map<uint32_t, double>;

// Empty where no trusted run was given.
Result<Noise> MeasureNoise(const Dump& golden, const CompareOptions& options,
                           const Talk& talk, const std::atomic<bool>& stop);

}  // namespace assay
