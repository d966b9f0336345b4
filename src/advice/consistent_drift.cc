// Every bad row is explained by its inputs: the error grows evenly, and no
// operator makes it.
#include <fmt/format.h>

#include <algorithm>

#include "advice/row_facts.h"
#include "advice/rule.h"

namespace assay {
namespace {

constexpr size_t kEnough = 3;  // rows

std::vector<Finding> Find(const Comparison& c) {
  std::vector<const Row*> bad;
  for (const Row& row : c.rows) {
    if (!IsBad(row)) continue;
    // A known or unknown start, or a hard fact: not a drift.
    if (row.cause != Cause::kInherited || row.verdict == Verdict::kFail) {
      return {};
    }
    bad.push_back(&row);
  }
  if (bad.size() < kEnough) return {};
  const Row& first = *bad.front();
  const Row& worst = **std::ranges::max_element(
      bad, {}, [](const Row* row) { return MetricOr(*row, "rel_l2", 0); });
  return {{.where = first.name,
           .text = fmt::format(
               "no operator makes an error: it grows evenly over {} rows, up "
               "to rel_l2 {}, as accumulated rounding does",
               bad.size(), MetricText(worst, "rel_l2")),
           .next = CompareCommand(c) + " --noise OTHER_RUN",
           .evidence = {{"rows", fmt::format("{}", bad.size())},
                        {"first_rel_l2", MetricText(first, "rel_l2")},
                        {"worst", worst.name},
                        {"worst_rel_l2", MetricText(worst, "rel_l2")}}}};
}

}  // namespace

extern constinit const Rule kConsistentDrift = {
    .name = "consistent-drift",
    .summary = "bad rows without an origin: the error grows evenly",
    .find = Find,
};

}  // namespace assay
