#include "core/graph.h"

namespace assay {

const Operator* Graph::Find(NameId op) const {
  const auto found = by_name_.find(op);
  return found == by_name_.end() ? nullptr : &operators[found->second];
}

const Operator* Graph::Find(std::string_view op) const {
  const NameId id = names.Find(op);
  return id == kNoName ? nullptr : Find(id);
}

std::optional<std::string_view> Graph::Attr(const std::vector<GraphAttr>& list,
                                            std::string_view key) const {
  const NameId id = names.Find(key);
  for (const GraphAttr& attr : list) {
    if (id != kNoName && attr.key == id) return names[attr.value];
  }
  return std::nullopt;
}

void Graph::Finish() {
  by_name_.reserve(operators.size());
  for (uint32_t i = 0; i < operators.size(); ++i) {
    by_name_.emplace(operators[i].name, i);
  }
}

}  // namespace assay
