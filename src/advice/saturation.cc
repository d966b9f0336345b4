// The target stops at a limit, of its type or of its own, that golden passes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

constexpr size_t kEnoughWorst = 3;  // elements that stand at one limit

// At the end of its type, where golden goes on.
std::optional<double> TypeLimit(const Row& row) {
  const std::optional<DType> type = TargetType(row);
  if (!type || !row.metrics.Has("max_target")) return std::nullopt;
  const auto largest = LargestOf(*type), smallest = SmallestOf(*type);
  const double high = MetricOr(row, "max_target", 0);
  const double low = MetricOr(row, "min_target", 0);
  if (largest && high >= *largest && MetricOr(row, "max_golden", 0) > high) {
    return high;
  }
  const bool lower =
      smallest && low <= *smallest && MetricOr(row, "min_golden", 0) < low;
  return lower ? std::optional(low) : std::nullopt;
}

// The worst elements all have one of the two extreme values, golden's lie
// beyond.
std::optional<double> OwnLimit(const Row& row) {
  if (row.worst.size() < kEnoughWorst) return std::nullopt;
  const double high = MetricOr(row, "max_target", HUGE_VAL);
  const double low = MetricOr(row, "min_target", -HUGE_VAL);
  const auto stops = [&](const Element& e) {
    const double g = e.golden.AsDouble(), t = e.target.AsDouble();
    return (t == high && g > high) || (t == low && g < low);
  };
  if (high <= low || !std::ranges::all_of(row.worst, stops)) {
    return std::nullopt;
  }
  return row.worst.front().target.AsDouble();
}

std::optional<double> LimitOf(const Row& row) {
  const std::optional<double> limit = TypeLimit(row);
  return limit ? limit : OwnLimit(row);
}

bool IsSaturated(const Row& row) { return LimitOf(row).has_value(); }

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  for (const Row* row : SuspectsThat(c, IsSaturated)) {
    const std::string limit = RoundedText(*LimitOf(*row), 6);
    found.push_back(
        {.where = row->name,
         .text = fmt::format("the target stops at {}, golden goes from {} to "
                             "{}: values are clipped",
                             limit, MetricText(*row, "min_golden"),
                             MetricText(*row, "max_golden")),
         .next = ShowCommand(row->name),
         .evidence = {
             {"limit", limit},
             {"min_golden", MetricText(*row, "min_golden")},
             {"max_golden", MetricText(*row, "max_golden")},
             {"dtype", row->target.empty() ? "" : row->target.front().dtype}}});
  }
  return found;
}

}  // namespace

extern constinit const Rule kSaturation = {
    .name = "saturation",
    .summary = "the target stops at a limit that golden passes",
    .find = Find,
};

}  // namespace assay
