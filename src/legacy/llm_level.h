#pragma once

#include <string_view>
#include <vector>

#include "legacy/llm_pair.h"

namespace assay {

// What one level of a transformer's operators gave, token by token in the order
// of the model. Operators are called by their folders, ORDER_TYPE/ORDER_TYPE.
// "layer": those of the type that most of a model's parts have; "module":
// attentions and perceptrons in them; "api": all. `next_id` counts on.
std::vector<LlmPair> PairsOfLevel(const std::vector<LlmPair>& pairs,
                                  std::string_view level, int64_t& next_id);

}  // namespace assay
