#pragma once

#include <span>
#include <string>

#include "core/tensor.h"

namespace assay {

inline constexpr std::string_view kStatsRecordSuffix = "_stats.json";

// The text of a record of tensors that have a summary.
std::string StatsRecordText(std::span<const StoredTensor> tensors);

}  // namespace assay
