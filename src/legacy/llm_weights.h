#pragma once

#include "legacy/llm_run.h"

namespace assay {

// The weights that one side has in float and the other as int8 with an offset
// and a scale beside them, in the golden order: float against
// (int8 - offset) * scale, in the types that torch would compute in. Empty:
// nothing is quantised.
Result<std::vector<LlmRow>> CompareQuantisedWeights(const LlmPlan& plan,
                                                    const LlmSources& sources);

}  // namespace assay
