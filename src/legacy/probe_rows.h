#pragma once

#include <functional>

#include "legacy/msprobe_result.h"
#include "legacy/probe_items.h"

namespace assay {

// By values, by their statistics, or by the hashes of their bytes.
enum class ProbeMode : uint8_t { kReal, kSummary, kHash };

struct ProbeSides {
  const ProbeItems &npu, &bench;
  ProbeMode mode = ProbeMode::kReal;
  // The cells of the metrics of an item whose values both sides have.
  std::function<std::vector<std::string>(const ProbeItem& npu)> metrics;
};

// The rows of all items of the device's side; results are decided.
std::vector<ProbeRow> MakeProbeRows(const ProbeSides& sides);

}  // namespace assay
