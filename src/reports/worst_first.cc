#include "reports/worst_first.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace assay {
namespace {

// Smaller comes first. NaN is worse than any number, no number better.
struct Badness {
  int group = 0;
  int kind = 0;
  double value = 0;
  uint64_t number = 0;

  bool operator<(const Badness& other) const {
    return std::tie(group, kind, value, number) <
           std::tie(other.group, other.kind, other.value, other.number);
  }
};

Badness ByValue(const Row& row, std::optional<double> larger_is_worse) {
  if (!larger_is_worse) return {.kind = 2, .number = row.number};
  if (std::isnan(*larger_is_worse)) return {.kind = 0, .number = row.number};
  return {.kind = 1, .value = -*larger_is_worse, .number = row.number};
}

int Group(Verdict verdict) {
  switch (verdict) {
    case Verdict::kError:
      return 0;
    case Verdict::kFail:
      return 1;
    case Verdict::kUnsure:
      return 2;
    case Verdict::kSkipped:
      return 3;
    case Verdict::kTrivial:
      return 4;
    case Verdict::kPass:
      break;
  }
  return 5;
}

Badness ByVerdict(const Row& row) {
  const bool unsure = row.verdict == Verdict::kUnsure;
  Badness badness =
      ByValue(row, unsure && row.floor ? row.floor->margin : std::nullopt);
  badness.group = Group(row.verdict);
  return badness;
}

Badness ByMetric(const Row& row, const Metric& metric) {
  std::optional<double> value = row.metrics.Get(metric.name);
  if (value && metric.better == Better::kLarger) value = -*value;
  return ByValue(row, value);
}

}  // namespace

std::vector<const Row*> WorstFirst(const Comparison& c,
                                   std::string_view metric) {
  const Metric* key = metric.empty() ? nullptr : FindMetric(metric);
  std::vector<std::pair<Badness, const Row*>> keyed;
  keyed.reserve(c.rows.size());
  for (const Row& row : c.rows) {
    keyed.emplace_back(key ? ByMetric(row, *key) : ByVerdict(row), &row);
  }
  std::stable_sort(
      keyed.begin(), keyed.end(),
      [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<const Row*> rows;
  rows.reserve(keyed.size());
  for (const auto& [badness, row] : keyed) rows.push_back(row);
  return rows;
}

}  // namespace assay
