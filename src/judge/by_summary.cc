#include "judge/by_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "judge/constants.h"
#include "judge/type_floor.h"

namespace assay {
namespace {

using Stat = std::optional<double> TensorSummary::*;
struct NamedStat {
  std::string_view name;
  Stat stat;
};
constexpr NamedStat kStats[] = {{"min", &TensorSummary::min},
                                {"max", &TensorSummary::max},
                                {"mean", &TensorSummary::mean},
                                {"l2", &TensorSummary::l2}};

double Roundoff(const SummaryPair& pair) {
  const Rounding rounding =
      CoarsestRounding(pair.golden_type, pair.target_type, {});
  return rounding.roundoff;
}

void Decide(Row& row, Verdict verdict, std::string why) {
  row.verdict = verdict;
  row.why = std::move(why);
}

void SetMetrics(const SummaryPair& pair, Row& row) {
  for (const auto& [name, stat] : kStats) {
    for (const bool golden : {true, false}) {
      const auto& value = golden ? pair.golden.*stat : pair.target.*stat;
      if (!value) continue;
      const auto* metric =
          FindMetric(fmt::format("{}_{}", name, golden ? "golden" : "target"));
      row.metrics.Set(*metric, Number(*value));
    }
  }
}

// Equal bytes prove equality; different bytes say nothing about how far.
bool JudgeByHash(const SummaryPair& pair, Row& row) {
  if (pair.golden.hash.empty() || pair.target.hash.empty()) return false;
  row.evidence = "hash";
  if (pair.golden.hash == pair.target.hash) {
    Decide(row, Verdict::kPass, "the hashes are equal: the same bytes");
    row.floor = Floor{.level = "exact"};
    return true;
  }
  Decide(row, Verdict::kUnsure,
         fmt::format("the bytes differ (hash {} and {}); a hash does not say "
                     "how far",
                     pair.golden.hash, pair.target.hash));
  return true;
}

bool IsSpecial(double x) { return !std::isfinite(x); }

// The size that differences of a statistic are measured against.
double ScaleOf(const TensorSummary& s, Stat stat) {
  if (stat == &TensorSummary::l2) return std::fabs(s.l2.value_or(0));
  return std::max(std::fabs(s.min.value_or(s.mean.value_or(0))),
                  std::fabs(s.max.value_or(s.mean.value_or(0))));
}

struct Worst {
  std::string_view name;
  double golden = 0, target = 0;
  double margin = 0;  // difference / what rounding explains
};

// NaN or Inf on one side only is a fault whatever the rest says.
bool JudgeSpecials(const NamedStat& s, const SummaryPair& pair, Row& row) {
  const double g = *(pair.golden.*s.stat), t = *(pair.target.*s.stat);
  if (IsSpecial(g) == IsSpecial(t)) return false;
  Decide(row, Verdict::kFail,
         fmt::format("{} is {} in golden and {} in target", s.name,
                     RoundedText(g), RoundedText(t)));
  return true;
}

Worst MarginOf(const NamedStat& s, const SummaryPair& pair) {
  const double g = *(pair.golden.*s.stat), t = *(pair.target.*s.stat);
  Worst out{s.name, g, t, 0};
  if (IsSpecial(g) || g == t) return out;
  const double explained =
      kRoundoffs * Roundoff(pair) * ScaleOf(pair.golden, s.stat);
  out.margin = explained > 0 ? std::fabs(t - g) / explained : INFINITY;
  return out;
}

bool IsConstant(const TensorSummary& s) { return s.min && s.min == s.max; }

}  // namespace

TensorSummary Describe(const PairStats& stats) {
  const auto metric = [&](std::string_view name) -> std::optional<double> {
    const auto value = FindMetric(name)->value(stats, {});
    return value ? std::optional(value->AsDouble()) : std::nullopt;
  };
  TensorSummary out;
  out.min = metric("min_golden");
  out.max = metric("max_golden");
  out.mean = metric("mean_golden");
  out.l2 = metric("l2_golden");
  out.nan = stats.nan_golden;
  out.inf = stats.inf_golden;
  if (stats.nan_golden > 0) out.min = out.max = out.mean = out.l2 = NAN;
  return out;
}

void JudgeBySummary(const SummaryPair& pair, Row& row) {
  row.evidence = "summary";
  SetMetrics(pair, row);
  if (JudgeByHash(pair, row)) return;
  Worst worst;
  std::vector<std::string> compared;
  for (const NamedStat& s : kStats) {
    if (!(pair.golden.*s.stat) || !(pair.target.*s.stat)) continue;
    compared.emplace_back(s.name);
    if (JudgeSpecials(s, pair, row)) return;
    const Worst mine = MarginOf(s, pair);
    if (compared.size() == 1 || mine.margin > worst.margin) worst = mine;
  }
  if (compared.empty()) {
    Decide(row, Verdict::kSkipped, "no statistic is known on both sides");
    return;
  }
  const std::string names = fmt::format("{}", fmt::join(compared, ", "));
  row.floor =
      Floor{.level = "type",
            .metric = std::string(worst.name),
            .value = kRoundoffs * Roundoff(pair),
            .margin = std::isfinite(worst.margin) ? std::optional(worst.margin)
                                                  : std::nullopt};
  if (worst.margin > 1) {
    Decide(row, Verdict::kUnsure,
           fmt::format("{} is {} in golden and {} in target; only statistics "
                       "were kept",
                       worst.name, RoundedText(worst.golden),
                       RoundedText(worst.target)));
  } else if (IsConstant(pair.golden) && IsConstant(pair.target)) {
    Decide(row, Verdict::kTrivial,
           fmt::format("{} agree, and all values are equal", names));
  } else {
    Decide(row, Verdict::kPass,
           fmt::format("{} agree within rounding; only statistics were kept",
                       names));
  }
}

}  // namespace assay
