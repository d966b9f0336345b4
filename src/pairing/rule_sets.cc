#include "pairing/rule_sets.h"

#include <fmt/format.h>

namespace assay {

bool IsAscend(const Dump& dump) { return dump.kind == "ascend"; }

std::string GraphName(const Dump& dump) {
  const std::string& path = dump.graphs.front()->file;
  std::string name = path.substr(path.rfind('/') + 1);
  if (dump.graphs.size() == 1) return name;
  return fmt::format("{} and {} more", name, dump.graphs.size() - 1);
}

bool MeetsFramework(const Dump& golden, const Dump& target,
                    const PairOptions& options) {
  return options.map_file.empty() && IsAscend(target) && !IsAscend(golden) &&
         !target.graphs.empty();
}

std::vector<std::string> ModelsOf(const Dump& dump, const Graph& graph) {
  std::vector<std::string> models;
  for (const auto& [model, chosen] : dump.graph_of) {
    if (chosen.get() == &graph) models.emplace_back(dump.names[model]);
  }
  return models;
}

RuleSet RulesOf(const Dump& dump) {
  RuleSet rules;
  for (const auto& graph : dump.graphs) {
    rules.Add(*graph, FusionRule(*graph), ModelsOf(dump, *graph));
  }
  return rules;
}

Result<Pairing> PairFused(const Dump& golden, const Dump& target,
                          const PairOptions& options) {
  if (target.graphs.empty()) {
    return Usage("this pairing needs a graph of the target")
        .Hint("give it with --graph FILE");
  }
  return PairByRule(golden, target, RulesOf(target), options);
}

}  // namespace assay
