#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// How often a fusion pass of the compiler found something and changed it.
struct FusionPass {
  std::string name;
  int64_t effects = 0;
  int64_t matches = 0;
  std::optional<int64_t> repository_hits;  // said of UB passes only
};

struct GraphFusions {
  std::string graph;  // "0_1": session and graph; empty: not said
  std::vector<FusionPass> graph_passes, ub_passes;
};

// Whether a file of this name that begins like this is a fusion_result.json.
bool IsFusionResult(std::string_view file_name, std::string_view head);

// Both forms: graphs as members of one object, or one object after another.
Result<std::vector<GraphFusions>> ReadFusionResult(const std::string& path);

}  // namespace assay
