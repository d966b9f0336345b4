// An operator is off, and the network recovers from it.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "advice/starting_rows.h"

namespace assay {
namespace {

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  if (!HasOrder(c)) return found;
  for (const Row* row : StartingRows(c)) {
    const Row& last = LastLike(*row, c);
    if (MakesLast(*row, last) || IsBad(last)) continue;
    found.push_back(
        {.where = row->name,
         .text = fmt::format(
             "{}{} is off, but the last result, {}, is good: the network "
             "recovers, and this can often be tolerated",
             row->op, RankAndStep(*row), last.name),
         .next = ShowCommand(row->name),
         .evidence = {{"rel_l2", MetricText(*row, "rel_l2")},
                      {"last", last.name},
                      {"last_rel_l2", MetricText(last, "rel_l2")}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kSinglePoint = {
    .name = "single-point",
    .summary = "an operator is off, but the last result is good",
    .find = Find,
};

}  // namespace assay
