#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/graph_outline.h"

namespace assay {

// A side's graph as the run file has it, and back.
std::string OutlineJson(const GraphOutline& outline);
Result<GraphOutline> OutlineFromJson(std::string_view text);

}  // namespace assay
