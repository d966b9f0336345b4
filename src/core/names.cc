#include "core/names.h"

namespace assay {

NameId NamePool::Intern(std::string_view text) {
  if (const auto found = ids_.find(text); found != ids_.end()) {
    return found->second;
  }
  const auto id = static_cast<NameId>(texts_.size());
  texts_.emplace_back(text);
  ids_.emplace(texts_.back(), id);
  return id;
}

NameId NamePool::Find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? kNoName : found->second;
}

}  // namespace assay
