#include "pipeline/graph_groups.h"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace assay {
namespace {

// Operators of one unit have one key: the number of their L1 fusion, else the
// framework operators they were made of.
std::string Key(const Operator& op) {
  if (op.l1 != kNoName) return "l1 " + std::to_string(op.l1);
  if (!op.originals || op.originals->empty()) return std::to_string(op.name);
  std::string key;
  for (const NameId id : *op.originals) {
    if (!key.empty()) key += ' ';
    key += std::to_string(id);
  }
  return key;
}

bool IsAutoFusion(std::string_view type) {
  return type == "AscBackend" || type == "FusedAscBackend" ||
         type == "AscBackendNoKernelOp";
}

std::string_view KindOf(const Graph& graph, const FusionGroup& group) {
  const Operator& first = graph.operators[group.operators[0]];
  const bool several = group.operators.size() > 1;
  if (IsAutoFusion(graph.Text(first.type))) return "auto-fusion";
  if (first.l1 != kNoName) return "l1";
  if (!several) return group.originals.size() > 1 ? "many-to-one" : "";
  return group.originals.size() > 1 ? "many-to-many" : "one-to-many";
}

// Collects what operators of one key say; what is said twice counts once.
class Collector {
 public:
  explicit Collector(const Graph& graph) : graph_(graph) {}

  void Add(uint32_t number) {
    const Operator& op = graph_.operators[number];
    const auto [at, fresh] = place_.emplace(Key(op), groups.size());
    if (fresh) groups.emplace_back();
    const size_t place = at->second;
    if (!IsFresh(members_, place, op.name)) return;
    FusionGroup& group = groups[place];
    group.operators.push_back(number);
    group.l1 = op.l1;
    AddOnce(op.originals ? *op.originals : std::vector<NameId>{op.name}, place,
            originals_, group.originals);
    AddOnce(op.passes, place, passes_, group.passes);
  }

  std::vector<FusionGroup> groups;

 private:
  using Seen = std::unordered_set<uint64_t>;

  static bool IsFresh(Seen& seen, size_t place, NameId id) {
    return seen.insert(static_cast<uint64_t>(place) << 32 | id).second;
  }
  static void AddOnce(const std::vector<NameId>& from, size_t place, Seen& seen,
                      std::vector<NameId>& to) {
    for (const NameId id : from) {
      if (id != kNoName && IsFresh(seen, place, id)) to.push_back(id);
    }
  }

  const Graph& graph_;
  std::unordered_map<std::string, size_t> place_;
  Seen members_, originals_, passes_;
};

}  // namespace

std::vector<FusionGroup> FindFusionGroups(const Graph& graph) {
  Collector collector(graph);
  for (uint32_t i = 0; i < graph.operators.size(); ++i) collector.Add(i);
  std::vector<FusionGroup> groups = std::move(collector.groups);
  for (FusionGroup& group : groups) group.kind = KindOf(graph, group);
  std::erase_if(groups, [](const FusionGroup& g) { return g.kind.empty(); });
  return groups;
}

}  // namespace assay
