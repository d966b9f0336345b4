// float16 ends at 65504: larger results become infinite, and NaN after that.
#include <fmt/format.h>

#include <cmath>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

bool Overflows(const Row& row) {
  if (TargetType(row) != DType::kF16) return false;
  return MetricOr(row, "inf_target", 0) > MetricOr(row, "inf_golden", 0);
}

// What golden has where the target is infinite.
std::string GoldenThere(const Row& row) {
  for (const Element& e : row.worst) {
    if (std::isinf(e.target.AsDouble())) {
      return RoundedText(e.golden.AsDouble());
    }
  }
  return "-";
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, Overflows)) {
    const std::string there = GoldenThere(*row);
    found.push_back(
        {.where = row->name,
         .text = fmt::format(
             "{} of {} values overflow float16 in the target; golden stays "
             "finite there",
             MetricText(*row, "inf_target"), MetricText(*row, "count")),
         .next = "assay overflow " + c.target.source,
         .evidence = {{"inf_target", MetricText(*row, "inf_target")},
                      {"inf_golden", MetricText(*row, "inf_golden")},
                      {"golden_there", there},
                      {"largest_f16", "65504"}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kFp16Overflow = {
    .name = "fp16-overflow",
    .summary = "results beyond 65504 became infinite in float16",
    .find = Find,
};

}  // namespace assay
