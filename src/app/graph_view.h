#pragma once

#include <string>
#include <vector>

#include "graphs/fusion_result.h"
#include "graphs/fusion_switch.h"
#include "pipeline/graph_diff.h"
#include "pipeline/graph_groups.h"
#include "pipeline/graph_index.h"

namespace assay {

// What `assay graph` prints for people.

// How many operators of each type.
std::string TypeCountsText(const Graph& graph);
// "[Conv2D][PassA, PassB] conv1", a line for each.
std::string OperatorLines(const Graph& graph,
                          const std::vector<uint32_t>& operators);
std::string GroupsText(const Graph& graph,
                       const std::vector<FusionGroup>& groups);
std::string FusionResultText(const std::vector<GraphFusions>& graphs);
std::string FusionSwitchText(const FusionSwitch& passes);
std::string DiffText(const Graph& a, const Graph& b, const GraphDiff& diff);

// "a, b, c", as they may go to a terminal.
std::string NamesText(const Graph& graph, const std::vector<NameId>& names);

}  // namespace assay
