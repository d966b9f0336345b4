#include "legacy/old_operators.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "pairing/names.h"
#include "pairing/rule_sets.h"
#include "sources/dump_name.h"
#include "sources/tree.h"

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
    if (t.id.op != kNoName) At(dump.names[t.id.op]).tensors.push_back(&t);
  }
  for (auto& [name, dumped] : by_name_) {
    auto& tensors = dumped.tensors;
    IsAscend(dump) ? KeepNewestFile(tensors) : KeepNewestOfEach(tensors);
    std::ranges::stable_sort(tensors, {}, Slot);
    dumped.time = tensors.front()->id.order;
  }
  if (IsAscend(dump)) AddEmptyFiles();
  std::ranges::stable_sort(
      names_, {}, [&](const std::string& name) { return TimeOf(name); });
}

OldOperators::Dumped& OldOperators::At(std::string_view op) {
  const auto [entry, is_new] = by_name_.try_emplace(Normalised(op));
  if (is_new) names_.push_back(entry->first);
  return entry->second;
}

// Dumps without inputs and outputs, of which the table has a row.
void OldOperators::AddEmptyFiles() {
  for (const std::string& file : dump_.files) {
    const auto name = ParseDumpName(NameIn(file));
    if (!name || name->IsOverflowRecord()) continue;
    Dumped& dumped = At(WithoutSliceMarks(name->op));
    if (dumped.tensors.empty()) dumped.time = name->time;
  }
}

std::span<const TensorInfo* const> OldOperators::Of(std::string_view op) const {
  const auto found = by_name_.find(Normalised(op));
  if (found == by_name_.end()) return {};
  return found->second.tensors;
}

bool OldOperators::Has(std::string_view op) const {
  return by_name_.contains(Normalised(op));
}

int64_t OldOperators::TimeOf(std::string_view op) const {
  const auto found = by_name_.find(Normalised(op));
  return found == by_name_.end() ? -1 : found->second.time;
}

const TensorInfo* OldOperators::Output(std::string_view op,
                                       int32_t index) const {
  for (const TensorInfo* t : Of(op)) {
    if (t->id.port == Port::kOutput && t->id.index == index) return t;
  }
  return nullptr;
}

}  // namespace assay
