#pragma once

#include <array>
#include <string>
#include <string_view>

#include "legacy/metric_group.h"

namespace assay {

// The columns of msprobe's comparison of real data.
inline constexpr std::array<std::string_view, 6> kMsprobeMetrics = {
    "Cosine",
    "EucDist",
    "MaxAbsErr",
    "MaxRelativeErr",
    "One Thousandth Err Ratio",
    "Five Thousandths Err Ratio"};

struct MsprobeAnswer {
  std::array<std::string, 6> metrics;
  std::string message;
  std::string reached;  // "Accuracy Reached or Not" of older versions
};

// Its reader of .pt files drops dimensions of 1.
enum class ProbeShapes : uint8_t { kExact, kSqueezed };

Result<MsprobeAnswer> AskMsprobe(const MeasureJob& job,
                                 ProbeShapes shapes = ProbeShapes::kExact);

}  // namespace assay
