// An error starts at an operator, and the end of the network is bad too, or is
// what this operator makes.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "advice/starting_rows.h"
#include "core/operator_traits.h"

namespace assay {
namespace {

// Rounding alone may grow in such an operator.
std::string_view Advice(const Row& row) {
  return row.verdict == Verdict::kUnsure && IsAmplifier(row.type)
             ? "it can amplify rounding by itself, so compare it with another "
               "trusted run (--noise)"
             : "check its implementation, layout and calibration";
}

Finding Say(const Row& row, const Row& last) {
  const std::string end =
      MakesLast(row, last)
          ? "which makes the last result"
          : fmt::format("and the last result, {}, is bad too", last.name);
  return {.where = row.name,
          .text = fmt::format("an error starts at {}{}{}, {}: {}", row.op,
                              row.type.empty() ? "" : " (" + row.type + ")",
                              RankAndStep(row), end, Advice(row)),
          .next = ShowCommand(row.name),
          .evidence = {{"rel_l2", MetricText(row, "rel_l2")},
                       {"last", last.name},
                       {"last_rel_l2", MetricText(last, "rel_l2")}}};
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  if (!HasOrder(c)) return found;
  for (const Row* row : StartingRows(c)) {
    const Row& last = LastLike(*row, c);
    if (MakesLast(*row, last) || IsBad(last)) found.push_back(Say(*row, last));
  }
  return found;
}

}  // namespace

extern constinit const Rule kProblemNode = {
    .name = "problem-node",
    .summary =
        "an error starts at this operator, and the last result is bad too",
    .find = Find,
};

}  // namespace assay
