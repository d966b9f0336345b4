// Two builds of one model, the golden one without fusion: both graphs name the
// framework's operators, and those connect them.
#include <fmt/format.h>

#include <set>
#include <string_view>

#include "pairing/by_rule.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

std::set<std::string_view> OperatorsOf(const Dump& dump) {
  std::set<std::string_view> names;
  for (const auto& graph : dump.graphs) {
    for (const Operator& op : graph->operators) {
      names.insert(graph->Text(op.name));
    }
  }
  return names;
}

// Two runs of one build need no detour through the framework's names.
std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  if (!options.map_file.empty() || !IsAscend(golden) || !IsAscend(target) ||
      golden.graphs.empty() || target.graphs.empty() ||
      OperatorsOf(golden) == OperatorsOf(target)) {
    return "";
  }
  return fmt::format("both are Ascend dumps, and {} and {} name the same model",
                     GraphName(golden), GraphName(target));
}

Result<Pairing> PairThem(const Dump& golden, const Dump& target,
                         const PairOptions& options) {
  if (golden.graphs.empty() || target.graphs.empty()) {
    return Usage("pairing 'fusion-on-off' needs a graph of each side")
        .Hint("give them with --graph and --golden-graph");
  }
  const RuleSet off = RulesOf(golden);
  RuleSet rules;
  for (const auto& graph : target.graphs) {
    FusionRule rule(*graph);
    const FusionRule* other = off.Only();
    if (other == nullptr) {
      other = off.For(graph->Text(graph->parts.at(0).name));
    }
    if (other != nullptr) rule.AgainstUnfused(*other);
    rules.Add(*graph, std::move(rule), ModelsOf(target, *graph));
  }
  return PairByRule(golden, target, rules, options);
}

}  // namespace

extern constinit const Strategy kFusionOnOff = {
    .name = "fusion-on-off",
    .summary = "two builds of one model, golden without fusion, by both graphs",
    .fits = Fits,
    .pair = PairThem,
};

}  // namespace assay
