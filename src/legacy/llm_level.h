#pragma once

#include <string_view>
#include <vector>

#include "legacy/llm_table.h"

namespace assay {

// The rows of one level of a transformer's operators, which are called by
// their folders: "layer" right below the model, "api" those without any below
// them, "module" what is between.
std::vector<LlmRow> RowsOfLevel(const std::vector<LlmRow>& rows,
                                std::string_view level);

}  // namespace assay
