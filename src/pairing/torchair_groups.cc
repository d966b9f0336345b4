#include "pairing/torchair_groups.h"

#include <algorithm>
#include <tuple>

#include "sources/digits.h"
#include "sources/dump_place.h"

namespace assay {
namespace {

uint64_t KeyOf(NameId op, NameId type) { return uint64_t{op} << 32 | type; }

void Add(uint32_t i, const TensorInfo& tensor, OpTensors& out) {
  switch (tensor.id.port) {
    case Port::kInput:
      return out.inputs.push_back(i);
    case Port::kOutput:
      return out.outputs.push_back(i);
    case Port::kNone:
      return out.whole.push_back(i);
  }
}

void SortByIndex(const Dump& dump, OpTensors& op) {
  const auto index = [&](uint32_t i) { return dump.tensors[i].id.index; };
  std::ranges::stable_sort(op.inputs, {}, index);
  std::ranges::stable_sort(op.outputs, {}, index);
}

// "graph_" and 10 of "graph_10", which comes behind "graph_9".
std::pair<std::string_view, int64_t> SplitNumber(std::string_view name) {
  const size_t begin = name.find_last_not_of("0123456789") + 1;
  return {name.substr(0, begin), ParseSmall(name.substr(begin)).value_or(-1)};
}

}  // namespace

OpTensors& OpTable::At(NameId op, NameId type) {
  const auto [at, fresh] = index_.emplace(KeyOf(op, type), all_.size());
  if (fresh) all_.push_back({.op = op});
  return all_[at->second];
}

const OpTensors* OpTable::Find(NameId op, NameId type) const {
  const auto found = index_.find(KeyOf(op, type));
  return found == index_.end() ? nullptr : &all_[found->second];
}

void OpTable::Sort(const Dump& dump) {
  for (OpTensors& op : all_) SortByIndex(dump, op);
}

const OpTable* GraphGroup::At(int32_t step) const {
  if (const auto found = steps.find(step); found != steps.end()) {
    return &found->second;
  }
  const bool uncounted =
      steps.size() == 1 && (step < 0 || steps.begin()->first < 0);
  return uncounted ? &steps.begin()->second : nullptr;
}

std::vector<GraphGroup> GroupsOf(const Dump& dump, bool by_type) {
  using Key =
      std::tuple<int32_t, std::pair<std::string_view, int64_t>, int32_t>;
  std::map<Key, GraphGroup> groups;
  const int32_t opened = HomeOf(dump.root).rank;
  for (uint32_t i = 0; i < dump.tensors.size(); ++i) {
    const TensorId& id = dump.tensors[i].id;
    if (id.op == kNoName) continue;
    GraphGroup& group =
        groups[{id.rank, SplitNumber(dump.names[id.graph]), id.call}];
    group.rank = id.rank;
    group.opened_rank = opened;
    group.graph = id.graph;
    group.call = id.call;
    OpTensors& op = group.steps[id.step].At(id.op, by_type ? id.type : kNoName);
    op.type = id.type;
    Add(i, dump.tensors[i], op);
  }
  std::vector<GraphGroup> out;
  for (auto& [key, group] : groups) {
    for (auto& [step, table] : group.steps) table.Sort(dump);
    out.push_back(std::move(group));
  }
  return out;
}

}  // namespace assay
