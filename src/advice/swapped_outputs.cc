// An operator with several outputs hands them out in another order.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

bool IsSwapped(const Row& row) {
  return row.likeness && row.likeness->kind == "output";
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, IsSwapped)) {
    found.push_back(
        {.where = row->name,
         .text = fmt::format(
             "the target's values are those of golden's {}: the outputs are "
             "swapped",
             row->likeness->other),
         .next = ShowCommand(row->name),
         .evidence = {{"equals", row->likeness->other},
                      {"rel_l2", MetricText(*row, "rel_l2")},
                      {"rel_l2_swapped", RoundedText(row->likeness->rel_l2)}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kSwappedOutputs = {
    .name = "swapped-outputs",
    .summary = "an output equals another output of the same operator",
    .find = Find,
};

}  // namespace assay
