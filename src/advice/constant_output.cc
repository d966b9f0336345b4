// The target holds one value everywhere: a buffer that was never written, a
// kernel that did not run.
#include <fmt/format.h>

#include "advice/row_facts.h"
#include "advice/rule.h"

namespace assay {
namespace {

constexpr double kEnough = 16;  // elements

bool IsConstant(const Row& row) {
  const auto low = row.metrics.Get("min_target");
  const auto high = row.metrics.Get("max_target");
  return low && high && *low == *high && MetricOr(row, "count", 0) >= kEnough &&
         MetricOr(row, "min_golden", 0) < MetricOr(row, "max_golden", 0);
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, IsConstant)) {
    found.push_back(
        {.where = row->name,
         .text = fmt::format("the target is {} everywhere, golden is not: was "
                             "the result written at all?",
                             MetricText(*row, "max_target")),
         .next = ShowCommand(row->name),
         .evidence = {{"target", MetricText(*row, "max_target")},
                      {"min_golden", MetricText(*row, "min_golden")},
                      {"max_golden", MetricText(*row, "max_golden")}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kConstantOutput = {
    .name = "constant-output",
    .summary = "the target holds one value everywhere, golden does not",
    .find = Find,
};

}  // namespace assay
