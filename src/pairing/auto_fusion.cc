// The same as ge-fusion where the compiler fused automatically: each output
// says whose it is; what is missing there is guessed from the list of
// originals, and called a guess.
#include <fmt/format.h>

#include <algorithm>

#include "pairing/by_rule.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

std::string_view AutoFusedIn(const Graph& graph) {
  for (const Operator& op : graph.operators) {
    if (IsAutoFused(graph.Text(op.type))) return graph.Text(op.name);
  }
  return "";
}

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  if (!MeetsFramework(golden, target, options)) return "";
  for (const auto& graph : target.graphs) {
    const std::string_view op = AutoFusedIn(*graph);
    if (op.empty()) continue;
    return fmt::format("{} has automatically fused operators: {}",
                       GraphName(target), op);
  }
  return "";
}

}  // namespace

extern constinit const Strategy kAutoFusion = {
    .name = "auto-fusion",
    .summary = "the same where AscBackend operators hold several originals",
    .fits = Fits,
    .pair = PairFused,
};

}  // namespace assay
