// A quantised model against the original: a rule file of the quantiser leads
// from its operators to the original's. The target is an Ascend dump with its
// graph, or a framework's run of the quantised model.
#include <fmt/format.h>

#include "pairing/by_rule.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  if (options.quant == nullptr || !options.map_file.empty()) return "";
  const bool device = IsAscend(target);
  if (IsAscend(golden) || (device && target.graphs.empty())) return "";
  return fmt::format("{} says what became of the operators{}",
                     options.quant->file,
                     device ? ", and the target has a graph" : "");
}

Result<Pairing> PairThem(const Dump& golden, const Dump& target,
                         const PairOptions& options) {
  if (options.quant == nullptr) {
    return Usage("pairing 'quantised' needs the quantiser's rule file")
        .Hint("give it with --quant FILE");
  }
  const FusionRule quant(*options.quant);
  RuleSet rules;
  if (!IsAscend(target)) {
    rules.Add(*options.quant, FusionRule(*options.quant));
    return PairByRule(golden, target, rules, options);
  }
  for (const auto& graph : target.graphs) {
    FusionRule rule(*graph);
    rule.ThroughQuantisation(quant);
    rules.Add(*graph, std::move(rule), ModelsOf(target, *graph));
  }
  return PairByRule(golden, target, rules, options);
}

}  // namespace

extern constinit const Strategy kQuantised = {
    .name = "quantised",
    .summary = "a quantised model against the original, through --quant",
    .fits = Fits,
    .pair = PairThem,
};

}  // namespace assay
