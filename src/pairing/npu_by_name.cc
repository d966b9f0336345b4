// Two Ascend dumps by the names of the operators. The inputs of an operator are
// compared all or not at all, and so are its outputs: another number of them,
// or another shape, means that the operators are not the same.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/text.h"
#include "pairing/pair_by_names.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

// The inputs or the outputs of one operator.
using PortKey = std::tuple<NameId, Port, int32_t, int32_t, NameId>;
PortKey PortOf(const TensorInfo& t) {
  return {t.id.op, t.id.port, t.id.rank, t.id.step, t.id.graph};
}

std::map<PortKey, size_t> CountPorts(const Dump& dump) {
  std::map<PortKey, size_t> counts;
  for (const TensorInfo& t : dump.tensors) ++counts[PortOf(t)];
  return counts;
}

// A record of the smallest and largest value knows no shape.
bool KnowsShape(const StoredTensor& tensor) {
  return !tensor.summary || tensor.summary->shape_known;
}

bool SameShape(const StoredTensor& a, const StoredTensor& b) {
  if (a.shape == b.shape || !KnowsShape(a) || !KnowsShape(b)) return true;
  return a.original && b.original && *a.original == *b.original;
}

class SetRule {
 public:
  SetRule(const Dump& golden, const Dump& target)
      : golden_(golden),
        target_(target),
        golden_counts_(CountPorts(golden)),
        target_counts_(CountPorts(target)) {}

  void Apply(Pairing& pairing) {
    for (const Pair& pair : pairing.pairs) Look(pair);
    std::vector<Pair> kept;
    for (Pair& pair : pairing.pairs) {
      const uint32_t g = pair.golden.tensor, t = pair.target.tensor;
      const auto why = different_.find(PortOf(target_.tensors[t]));
      if (why == different_.end()) {
        kept.push_back(std::move(pair));
        continue;
      }
      pairing.golden.push_back({g, why->second});
      pairing.target.push_back({t, why->second});
    }
    pairing.pairs = std::move(kept);
    pairing.named_by_target = true;
  }

 private:
  void Look(const Pair& pair) {
    const TensorInfo& g = golden_.tensors[pair.golden.tensor];
    const TensorInfo& t = target_.tensors[pair.target.tensor];
    if (t.id.port == Port::kNone || g.error() || t.error()) return;
    const size_t a = golden_counts_.at(PortOf(g));
    const size_t b = target_counts_.at(PortOf(t));
    if (a != b) {
      different_.emplace(
          PortOf(t), fmt::format("the operators differ: golden has {}, target "
                                 "{}",
                                 Counted(a, Name(t.id.port)), b));
    } else if (!SameShape(g.stored, t.stored)) {
      different_.emplace(
          PortOf(t),
          fmt::format("the operators differ: {} {} is {} in golden, "
                      "{} in target",
                      Name(t.id.port), t.id.index, ToText(g.stored.shape),
                      ToText(t.stored.shape)));
    }
  }

  const Dump &golden_, &target_;
  std::map<PortKey, size_t> golden_counts_, target_counts_;
  std::map<PortKey, std::string> different_;
};

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  if (!options.map_file.empty() || !IsAscend(golden) || !IsAscend(target)) {
    return "";
  }
  return golden.graphs.empty() || target.graphs.empty()
             ? "both are Ascend dumps, and no graphs connect them"
             : "both are Ascend dumps, and their graphs have the same "
               "operators";
}

Result<Pairing> PairThem(const Dump& golden, const Dump& target,
                         const PairOptions& options) {
  ASSIGN_OR_RETURN(Pairing out, PairByNames(golden, target, options));
  SetRule(golden, target).Apply(out);
  return out;
}

}  // namespace

extern constinit const Strategy kNpuByName = {
    .name = "npu-by-name",
    .summary = "two Ascend dumps by operator, port and index",
    .fits = Fits,
    .pair = PairThem,
};

}  // namespace assay
