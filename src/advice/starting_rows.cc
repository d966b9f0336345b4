#include "advice/starting_rows.h"

#include <algorithm>

#include "advice/row_facts.h"

namespace assay {

std::vector<const Row*> StartingRows(const Comparison& c) {
  std::vector<const Row*> found;
  for (const std::string& op : c.origins) {
    const auto row = std::ranges::find_if(c.rows, [&](const Row& r) {
      return r.op == op && r.cause == Cause::kOrigin;
    });
    if (row != c.rows.end()) found.push_back(&*row);
    if (found.size() == kMostPerRule) return found;
  }
  if (!found.empty() || !HasOrder(c)) return found;
  const auto first = std::ranges::find_if(c.rows, IsSuspect);
  if (first != c.rows.end()) found.push_back(&*first);
  return found;
}

}  // namespace assay
