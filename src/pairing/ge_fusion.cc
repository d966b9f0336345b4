// An Ascend dump against a framework's, through the fused graph that the
// compiler left.
#include <fmt/format.h>

#include <algorithm>

#include "pairing/by_rule.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  if (!MeetsFramework(golden, target, options)) return "";
  return fmt::format("the target is an Ascend dump and {} names its operators",
                     GraphName(target));
}

}  // namespace

extern constinit const Strategy kGeFusion = {
    .name = "ge-fusion",
    .summary = "an Ascend dump against a framework's, through the fused graph",
    .fits = Fits,
    .pair = PairFused,
};

}  // namespace assay
