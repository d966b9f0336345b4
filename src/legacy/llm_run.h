#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "legacy/llm_table.h"

namespace assay {

// Two paths as msit llm compare is given them.
struct LlmSources {
  std::string golden, my;
  std::optional<int32_t> rank;  // only this one
  std::function<void(const std::string&)> say;
};

// The dumps of both sides, and what of them belongs together.
struct LlmPlan {
  Dump golden, my;
  bool torchair = false;
  std::vector<LlmReport> reports;
};

// Whether a path holds a dump of TorchAir with the graphs it was compiled from.
bool IsTorchair(const std::string& path);

// Both sides without any pairs, and the pairs by names.
Result<std::unique_ptr<LlmPlan>> OpenLlm(const LlmSources& sources);
Status PairByNames(const LlmSources& sources, LlmPlan& plan);

// TorchAir by its graphs, everything else by its names.
Result<std::unique_ptr<LlmPlan>> PlanLlm(const LlmSources& sources);

// The rows of one file, in its order.
std::vector<LlmRow> RunLlm(const LlmPlan& plan, const LlmReport& report,
                           const LlmSources& sources);

}  // namespace assay
