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

RuleSet RulesOf(const Dump& dump) {
  RuleSet rules;
  for (const auto& graph : dump.graphs) rules.Add(*graph, FusionRule(*graph));
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
