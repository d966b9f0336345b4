// Several models in one dump, each with a graph of its own.
#include <fmt/format.h>

#include "base/text.h"
#include "pairing/by_rule.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  if (!MeetsFramework(golden, target, options) || target.graphs.size() < 2) {
    return "";
  }
  return fmt::format("the target has several models, and {} name them",
                     Counted(target.graphs.size(), "graph"));
}

}  // namespace

extern constinit const Strategy kBatch = {
    .name = "batch",
    .summary = "several models of one dump, each through its own graph",
    .fits = Fits,
    .pair = PairFused,
};

}  // namespace assay
