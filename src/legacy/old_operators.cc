#include "legacy/old_operators.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "pairing/names.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

// Which of several dumps of an operator it is.
auto Instance(const TensorId& id) {
  return std::tuple(id.step, id.order, id.rank, id.graph);
}

auto Slot(const TensorInfo* t) { return std::pair(t->id.port, t->id.index); }

// All tensors of the newest file.
void KeepNewestFile(std::vector<const TensorInfo*>& tensors) {
  const auto newest =
      Instance((*std::ranges::max_element(tensors, {}, [](const TensorInfo* t) {
                 return Instance(t->id);
               }))->id);
  std::erase_if(tensors,
                [&](const TensorInfo* t) { return Instance(t->id) != newest; });
}

// Files of a framework hold one output each: the newest of each.
void KeepNewestOfEach(std::vector<const TensorInfo*>& tensors) {
  std::ranges::stable_sort(tensors, std::greater(),
                           [](const TensorInfo* t) { return Instance(t->id); });
  std::ranges::stable_sort(tensors, {}, Slot);
  const auto same = [](const TensorInfo* a, const TensorInfo* b) {
    return Slot(a) == Slot(b);
  };
  tensors.erase(std::unique(tensors.begin(), tensors.end(), same),
                tensors.end());
}

}  // namespace

OldOperators::OldOperators(const Dump& dump) : dump_(dump) {
  for (const TensorInfo& t : dump.tensors) {
    if (t.id.op == kNoName) continue;
    const auto [entry, is_new] =
        by_name_.try_emplace(Normalised(dump.names[t.id.op]));
    if (is_new) names_.push_back(entry->first);
    entry->second.push_back(&t);
  }
  for (auto& [name, tensors] : by_name_) {
    IsAscend(dump) ? KeepNewestFile(tensors) : KeepNewestOfEach(tensors);
    std::ranges::stable_sort(tensors, {}, Slot);
  }
  std::ranges::stable_sort(names_, {}, [&](const std::string& name) {
    return TimeOf(by_name_.at(name));
  });
}

std::span<const TensorInfo* const> OldOperators::Of(std::string_view op) const {
  const auto found = by_name_.find(Normalised(op));
  if (found == by_name_.end()) return {};
  return found->second;
}

const TensorInfo* OldOperators::Output(std::string_view op,
                                       int32_t index) const {
  for (const TensorInfo* t : Of(op)) {
    if (t->id.port == Port::kOutput && t->id.index == index) return t;
  }
  return nullptr;
}

int64_t TimeOf(std::span<const TensorInfo* const> tensors) {
  return tensors.empty() ? -1 : tensors.front()->id.order;
}

}  // namespace assay
