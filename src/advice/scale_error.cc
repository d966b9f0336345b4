// A common factor: a missing scale, a wrong quantisation step, a mean for a
// sum.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

constexpr double kEnough = 64;       // elements; fewer are scaled by accident
constexpr double kMostRest = 0.25;   // other error, of the factor and of 1
constexpr double kScaleShare = 0.5;  // of the factor: most elements have it

// The error that is left once the factor is taken out.
double Rest(const Row& row) {
  return std::sqrt(2 * std::max(0.0, MetricOr(row, "cosine_distance", 2)));
}

bool IsScaled(const Row& row) {
  const double ratio = MetricOr(row, "norm_ratio", 0);
  const double off = std::fabs(ratio - 1);
  return MetricOr(row, "count", 0) >= kEnough && ratio > 0 && off > 0 &&
         std::isfinite(off) && Rest(row) <= kMostRest * std::min(off, 1.0) &&
         MetricOr(row, "mean_rel", 0) >= kScaleShare * off &&
         MetricOr(row, "min_target", 0) < MetricOr(row, "max_target", 0);
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, IsScaled)) {
    const std::string factor = RoundedText(MetricOr(*row, "norm_ratio", 1), 6);
    found.push_back(
        {.where = row->name,
         .text = fmt::format("the target is {} times golden, and little else "
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
