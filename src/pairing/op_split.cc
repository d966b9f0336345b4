#include "pairing/op_split.h"

#include "pairing/names.h"

namespace assay {

OpSplit::OpSplit(const Graph& graph,
                 const std::vector<std::string_view>& dumped, Names names)
    : names_(names) {
  for (const Operator& op : graph.operators) {
    operators_.emplace(Key(graph.Text(op.name)), &op);
  }
  for (const std::string_view name : dumped) {
    std::string key = Key(name);
    if (!operators_.contains(key)) strangers_.insert(std::move(key));
  }
}

std::string OpSplit::Key(std::string_view name) const {
  return names_ == Names::kExact ? std::string(name) : Normalised(name);
}

const Operator* OpSplit::Find(std::string_view name) const {
  const auto found = operators_.find(Key(name));
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
  const std::string key = Key(name);
  std::vector<const Operator*> members;
  std::string_view rest = key;
  while (!rest.empty()) {
    const Operator* op = Take(rest);
    if (op == nullptr) break;
    members.push_back(op);
  }
  return members;
}

}  // namespace assay
