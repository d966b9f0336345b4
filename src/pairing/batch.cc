// Several models in one dump, each with a graph of its own.
#include <fmt/format.h>

#include "base/text.h"
#include "pairing/by_rule.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  if (!MeetsFramework(golden, target, options)) return "";
  if (target.graphs.size() > 1) {
    return fmt::format("the target has several models, and {} name them",
                       Counted(target.graphs.size(), "graph"));
  }
  return options.graph_folder
             ? fmt::format("of the graphs in a folder {} names the operators",
                           GraphName(target))
             : "";
}

}  // namespace

extern constinit const Strategy kBatch = {
    .name = "batch",
    .summary = "several models of one dump, each through its own graph",
    .fits = Fits,
    .pair = PairFused,
};

}  // namespace assay
