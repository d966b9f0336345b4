#pragma once

#include <array>
#include <string>
#include <string_view>

#include "legacy/metric_group.h"

namespace assay {

// The seven metrics of msit llm compare, in the order of its table.
inline constexpr std::array<std::string_view, 7> kMsitMetrics = {
    "cosine_similarity",          "max_relative_error",  "mean_relative_error",
    "max_absolute_error",         "mean_absolute_error", "kl_divergence",
    "relative_euclidean_distance"};

// One tensor in its table; numbers are empty for a tensor without elements.
struct MsitSide {
  std::string dtype;  // "torch.float16"
  std::string shape;  // "[2, 3]"
  std::string max, min, mean, l2;
};

struct MsitRow {
  MsitSide golden, my;
  std::array<std::string, 7> metrics;  // all empty if there is a reason
  std::string reason;                  // why nothing was compared
};

inline constexpr std::string_view kMsitShapeReason =
    "data shape doesn't match.";

Result<MsitRow> AskMsit(const MeasureJob& job);

std::string TorchTypeText(DType type);  // "torch.float16"
std::string TorchShapeText(const Shape& shape);

}  // namespace assay
