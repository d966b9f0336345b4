// A common factor: a missing scale, a wrong quantisation step, a mean for a
// sum.
#include <fmt/format.h>

#include <cmath>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

constexpr double kEnough = 64;        // elements; fewer are scaled by accident
constexpr double kMostlyScale = 0.9;  // of the error
constexpr double kScaleShare = 0.5;   // of the factor: most elements have it

bool IsScaled(const Row& row) {
  const double off = std::fabs(MetricOr(row, "norm_ratio", 1) - 1);
  const double rel = MetricOr(row, "rel_l2", 0);
  return MetricOr(row, "count", 0) >= kEnough && off > 0 &&
         std::isfinite(off) && MetricOr(row, "cosine", 0) > 0.5 &&
         off >= kMostlyScale * rel &&
         MetricOr(row, "mean_rel", 0) >= kScaleShare * off &&
         MetricOr(row, "norm_ratio", 0) > 0 &&
         MetricOr(row, "min_target", 0) < MetricOr(row, "max_target", 0);
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, IsScaled)) {
    const std::string factor = RoundedText(MetricOr(*row, "norm_ratio", 1), 6);
    found.push_back(
        {.where = row->name,
         .text = fmt::format("the target is {} times golden, and nothing else "
                             "is wrong: a scale is missing or wrong",
                             factor),
         .next = ShowCommand(row->name),
         .evidence = {{"factor", factor},
                      {"cosine_distance", MetricText(*row, "cosine_distance")},
                      {"rel_l2", MetricText(*row, "rel_l2")}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kScaleError = {
    .name = "scale-error",
    .summary = "the target is golden times a constant factor",
    .find = Find,
};

}  // namespace assay
