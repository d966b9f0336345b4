#include "pairing/op_split.h"

#include "pairing/names.h"

namespace assay {

OpSplit::OpSplit(const Graph& graph,
                 const std::vector<std::string_view>& dumped) {
  for (const Operator& op : graph.operators) {
    operators_.emplace(Normalised(graph.Text(op.name)), &op);
  }
  for (const std::string_view name : dumped) {
    std::string normal = Normalised(name);
    if (!operators_.contains(normal)) strangers_.insert(std::move(normal));
  }
}

const Operator* OpSplit::Find(std::string_view name) const {
  const auto found = operators_.find(Normalised(name));
  return found == operators_.end() ? nullptr : found->second;
}

// Takes one operator off the front of `rest`; null if there is none.
const Operator* OpSplit::Take(std::string_view& rest) const {
  std::string prefix(rest);
  for (; !prefix.empty(); prefix.pop_back()) {
    if (const auto found = operators_.find(prefix); found != operators_.end()) {
      rest.remove_prefix(prefix.size());
      return found->second;
    }
    if (prefix.size() < rest.size() && strangers_.contains(prefix)) break;
  }
  return nullptr;
}

std::vector<const Operator*> OpSplit::Members(std::string_view name) const {
  const std::string normal = Normalised(name);
  std::vector<const Operator*> members;
  std::string_view rest = normal;
  while (!rest.empty()) {
    const Operator* op = Take(rest);
    if (op == nullptr) break;
    members.push_back(op);
  }
  return members;
}

}  // namespace assay
