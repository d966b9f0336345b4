#pragma once

#include <functional>
#include <string>
#include <vector>

#include "legacy/llm_pair.h"

namespace assay {

// The pairs that msit llm compare finds in two TorchAir dumps, in its order: a
// report for each rank and graph. `my` is a dump from the device with its
// graphs chosen; `golden` one of the FX graph, or another from the device.
// `say` gets its warnings.
std::vector<LlmReport> PlanTorchair(
    const Dump& golden, const Dump& my,
    const std::function<void(const std::string&)>& say);

}  // namespace assay
