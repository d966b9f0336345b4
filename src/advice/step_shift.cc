// The two runs count steps or tokens differently.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

bool IsShifted(const Row& row) {
  return row.likeness && row.likeness->kind == "step";
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, IsShifted)) {
    found.push_back(
        {.where = row->name,
         .text = fmt::format(
             "the target's values{} are those of golden at step {}: the runs "
             "are shifted against each other",
             RankAndStep(*row), row->likeness->other),
         .next = CompareCommand(c) + " --map map.csv",
         .evidence = {{"equals_step", row->likeness->other},
                      {"rel_l2", MetricText(*row, "rel_l2")},
                      {"rel_l2_shifted", RoundedText(row->likeness->rel_l2)}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kStepShift = {
    .name = "step-shift",
    .summary = "a tensor equals golden's of another step or token",
    .find = Find,
};

}  // namespace assay
