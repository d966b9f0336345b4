// The right values in the wrong places: dimensions taken in another order.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

bool IsTransposed(const Row& row) {
  return row.likeness && row.likeness->kind == "transposed";
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, IsTransposed)) {
    found.push_back(
        {.where = row->name,
         .text = fmt::format(
             "equal after a transposition: the target holds golden's "
             "dimensions in the order {}",
             row->likeness->other),
         .next = ShowCommand(row->name),
         .evidence = {
             {"order", row->likeness->other},
             {"rel_l2", MetricText(*row, "rel_l2")},
             {"rel_l2_transposed", RoundedText(row->likeness->rel_l2)}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kLayoutMistake = {
    .name = "layout-mistake",
    .summary = "equal after a transposition",
    .find = Find,
};

}  // namespace assay
