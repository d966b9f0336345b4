#pragma once

#include <string_view>
#include <vector>

#include "core/graph.h"

namespace assay {

// Operators of a compiled graph that stand together for operators of the
// framework's graph.
struct FusionGroup {
  // "many-to-one", "one-to-many", "many-to-many", "l1" or "auto-fusion"
  std::string_view kind;
  NameId l1 = kNoName;
  std::vector<uint32_t> operators;  // into Graph::operators, as in the file
  std::vector<NameId> originals;    // each once, in the order of merging
  std::vector<NameId> passes;       // each once
};

// Every group in the order of its first operator. One operator that stands for
// one is no group.
std::vector<FusionGroup> FindFusionGroups(const Graph& graph);

}  // namespace assay
