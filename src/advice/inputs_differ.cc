// The two runs were not given the same data: nothing after it can be judged.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "core/operator_traits.h"

namespace assay {
namespace {

bool IsInputOfNetwork(const Row& row) {
  return row.port != "input" && IsNetworkInput(row.type);
}

// Without a graph: an input that no row hands on, before any other error.
const Row* FirstInput(const Comparison& c) {
  if (!HasOrder(c)) return nullptr;
  bool outputs = false;  // producers could have been found
  for (const Row& row : c.rows) {
    outputs |= row.port == "output";
    if (!IsBad(row)) continue;
    const bool first_operator = row.op == c.rows.front().op;
    const bool enters = row.port == "input" && row.cause == Cause::kUnknown;
    return enters && (outputs || first_operator) ? &row : nullptr;
  }
  return nullptr;
}

Finding Say(const Row& row, const Comparison& c) {
  return {.where = row.name,
          .text = fmt::format(
              "{} differs already as it enters the network{} (rel_l2 {}): the "
              "two runs did not get the same data",
              row.name, RankAndStep(row), MetricText(row, "rel_l2")),
          .next = CompareCommand(c) + " --only 'input|data'",
          .evidence = {{"rel_l2", MetricText(row, "rel_l2")},
                       {"max_abs", MetricText(row, "max_abs")},
                       {"verdict", std::string(Name(row.verdict))}}};
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, IsInputOfNetwork)) {
    found.push_back(Say(*row, c));
  }
  if (!found.empty()) return found;
  if (const Row* row = FirstInput(c)) found.push_back(Say(*row, c));
  return found;
}

}  // namespace

extern constinit const Rule kInputsDiffer = {
    .name = "inputs-differ",
    .summary = "the two runs were not given the same data",
    .find = Find,
};

}  // namespace assay
