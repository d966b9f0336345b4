#pragma once

#include <string>
#include <vector>

#include "pairing/by_rule.h"

namespace assay {

bool IsAscend(const Dump& dump);
// The files of its graphs: "g.json", "g.json and 2 more".
std::string GraphName(const Dump& dump);
// The target is an Ascend dump with a graph, golden comes from a framework.
bool MeetsFramework(const Dump& golden, const Dump& target,
                    const PairOptions& options);
// The models that a graph was chosen for.
std::vector<std::string> ModelsOf(const Dump& dump, const Graph& graph);
RuleSet RulesOf(const Dump& dump);
// By the graphs of the target alone.
Result<Pairing> PairFused(const Dump& golden, const Dump& target,
                          const PairOptions& options);

}  // namespace assay
