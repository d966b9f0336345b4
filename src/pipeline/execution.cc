#include "pipeline/execution.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "sources/tree.h"

namespace assay {
namespace {

constexpr int64_t kLast = std::numeric_limits<int64_t>::max();

// Steps follow each other; in a step the order counts, where there is none the
// files do.
using Place = std::tuple<int32_t, int64_t, int32_t, uint32_t>;

Place PlaceOf(const TensorInfo& tensor, uint32_t number) {
  const TensorId& id = tensor.id;
  return {id.step, id.order < 0 ? kLast : id.order, id.rank, number};
}

struct Group {
  ExecutedOp op;
  Place place;
  bool has_output = false;
};

// When an operator was executed: when its first output was written, the inputs
// may have been written long before.
void Add(const TensorInfo& tensor, uint32_t number, Group& group) {
  const Place place = PlaceOf(tensor, number);
  const bool output = tensor.id.port != Port::kInput;
  const bool is_new = group.op.inputs.empty() && group.op.outputs.empty();
  (output ? group.op.outputs : group.op.inputs).push_back(number);
  if (is_new || (output && !group.has_output)) {
    group.place = place;
  } else if (output == group.has_output) {
    group.place = std::min(group.place, place);
  }
  group.has_output |= output;
}

std::string WordsFor(const std::set<OrderFrom>& seen) {
  if (seen.contains(OrderFrom::kTimestamp)) return "timestamps";
  if (seen.contains(OrderFrom::kGraph)) return "the graph";
  if (seen.contains(OrderFrom::kIndex)) return "the dump's own numbering";
  return "the names of the files";
}

}  // namespace

Execution ExecutionOf(const Dump& dump) {
  using Key = std::tuple<std::string_view, NameId, NameId, int32_t, int32_t,
                         int32_t, Phase, NameId>;
  std::map<Key, Group> groups;
  std::set<OrderFrom> orders;
  for (uint32_t i = 0; i < dump.tensors.size(); ++i) {
    const TensorInfo& tensor = dump.tensors[i];
    const TensorId& id = tensor.id;
    const std::string_view folder = FolderOf(dump.files[tensor.file]);
    Group& group = groups[{folder, id.op, id.type, id.rank, id.step, id.call,
                           id.phase, id.graph}];
    group.op.op = id.op;
    group.op.type = id.type;
    Add(tensor, i, group);
    orders.insert(id.order_from);
  }
  std::vector<Group> sorted;
  for (auto& [key, group] : groups) sorted.push_back(std::move(group));
  std::ranges::sort(sorted, {}, &Group::place);
  Execution execution{.ops = {}, .order = WordsFor(orders)};
  for (Group& group : sorted) execution.ops.push_back(std::move(group.op));
  return execution;
}

}  // namespace assay
