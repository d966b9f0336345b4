#include "core/dump.h"

#include <fmt/format.h>

namespace assay {

std::string_view Name(Port port) {
  switch (port) {
    case Port::kInput:
      return "input";
    case Port::kOutput:
      return "output";
    case Port::kNone:
      break;
  }
  return "";
}

std::string_view Name(Phase phase) {
  return phase == Phase::kForward ? "forward" : "backward";
}

std::string_view Name(OrderFrom from) {
  switch (from) {
    case OrderFrom::kGraph:
      return "graph";
    case OrderFrom::kIndex:
      return "index";
    case OrderFrom::kTimestamp:
      return "timestamp";
    case OrderFrom::kNone:
      break;
  }
  return "none";
}

const Graph* Dump::GraphOfKind(std::string_view wanted) const {
  for (const auto& graph : graphs) {
    if (graph->kind == wanted) return graph.get();
  }
  return nullptr;
}

std::string Dump::PlacedName(const TensorInfo& t) const {
  std::string name(NameOf(t));
  if (t.id.rank >= 0) name += fmt::format(" rank {}", t.id.rank);
  if (t.id.step >= 0) name += fmt::format(" step {}", t.id.step);
  return name;
}

std::string Dump::PathOf(uint32_t file) const {
  return root.empty() ? files[file] : root + "/" + files[file];
}

int64_t Dump::TimeOf(const TensorInfo& t) const {
  if (t.file < times.size()) return times[t.file];
  return t.id.order_from == OrderFrom::kTimestamp ? t.id.order : -1;
}

StoredView Dump::ViewOf(const TensorInfo& t) const {
  if (!t.join) return PlainView(PathOf(t), t.stored);
  StoredView view{.parts = {},
                  .axis = t.join->axis,
                  .map = std::nullopt,
                  .shape = t.stored.shape};
  for (const Join::Part& part : t.join->parts) {
    view.parts.push_back({PathOf(part.file), &part.stored});
  }
  return view;
}

}  // namespace assay
