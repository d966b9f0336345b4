#pragma once

#include <vector>

#include "base/json_writer.h"
#include "graphs/fusion_result.h"
#include "graphs/fusion_switch.h"
#include "pipeline/graph_diff.h"
#include "pipeline/graph_dot.h"
#include "pipeline/graph_groups.h"
#include "pipeline/graph_index.h"

namespace assay {

// Members of the document assay.graph/1, one function for each action.

// Opens the document.
void BeginGraphJson(std::string_view action, JsonWriter& json);
// file, kind, name and warnings of a graph.
void GraphJson(const Graph& graph, JsonWriter& json);
void ListJson(const Graph& graph, const std::vector<uint32_t>& operators,
              JsonWriter& json);
void InfoJson(const Graph& graph, const GraphIndex& index,
              const std::vector<uint32_t>& operators, JsonWriter& json);
void GroupsJson(const Graph& graph, const std::vector<FusionGroup>& groups,
                JsonWriter& json);
void FusionResultJson(const std::vector<GraphFusions>& graphs,
                      JsonWriter& json);
void FusionSwitchJson(const FusionSwitch& passes, JsonWriter& json);
void DiffJson(const Graph& a, const Graph& b, const GraphDiff& diff,
              JsonWriter& json);
void NeighbourhoodJson(const Graph& graph, const Neighbourhood& around,
                       JsonWriter& json);

}  // namespace assay
