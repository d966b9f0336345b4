#include "advice/rule.h"

namespace assay {

std::span<const Rule* const> AllRules() { return {}; }

std::vector<Finding> Advise(const Comparison& comparison) {
  std::vector<Finding> all;
  for (const Rule* rule : AllRules()) {
    for (Finding& finding : rule->find(comparison)) {
      finding.rule = rule->name;
      finding.rank = static_cast<int>(all.size()) + 1;
      all.push_back(std::move(finding));
    }
  }
  return all;
}

}  // namespace assay
