#include "judge/by_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/text.h"
#include "core/sketch.h"
#include "judge/constants.h"
#include "judge/summary_specials.h"
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
                                {"std", &TensorSummary::std},
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

bool HasSketches(const SummaryPair& pair) {
  return !pair.golden.sketch.empty() && !pair.target.sketch.empty();
}

// "v1" of "v1:0123"; hashes of different kinds say nothing.
std::string_view KindOf(std::string_view hash) {
  const size_t colon = hash.find(':');
  return colon == std::string_view::npos ? "" : hash.substr(0, colon);
}

// Equal bytes prove equality; different bytes say nothing about how far.
bool JudgeByHash(const SummaryPair& pair, Row& row) {
  if (pair.golden.hash.empty() || pair.target.hash.empty() ||
      KindOf(pair.golden.hash) != KindOf(pair.target.hash)) {
    return false;
  }
  const bool equal = pair.golden.hash == pair.target.hash;
  if (!equal && HasSketches(pair)) return false;
  row.evidence = "hash";
  if (equal) {
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

// Numbers on both sides; a sum that overflowed is infinite without any Inf.
bool Comparable(const SummaryPair& pair, Stat stat) {
  const auto &g = pair.golden.*stat, &t = pair.target.*stat;
  if (!g || !t || std::isnan(*g) || std::isnan(*t)) return false;
  return (std::isfinite(*g) && std::isfinite(*t)) || !MayHaveInf(pair.golden);
}

bool KnownOnBoth(const SummaryPair& pair, Stat stat) {
  return pair.golden.*stat && pair.target.*stat;
}

// The same NaN or Inf on both sides.
bool SameSpecial(const SummaryPair& pair, Stat stat) {
  const auto &g = pair.golden.*stat, &t = pair.target.*stat;
  return g && t && (*g == *t || (std::isnan(*g) && std::isnan(*t)));
}

void DecideWithoutNumbers(const SummaryPair& pair, Row& row) {
  const auto is = [&](bool (*what)(const SummaryPair&, Stat)) {
    return std::ranges::any_of(
        kStats, [&](const NamedStat& s) { return what(pair, s.stat); });
  };
  const std::string shared = SharedSpecials(pair.golden);
  if (shared.empty() || !is(KnownOnBoth)) {
    Decide(row, Verdict::kSkipped, "no statistic is known on both sides");
  } else if (is(SameSpecial)) {
    Decide(row, Verdict::kTrivial,
           shared + "; no statistic is left to compare");
  } else {
    Decide(row, Verdict::kSkipped,
           shared + "; one side left them out of its statistics");
  }
}

double Explained(const SummaryPair& pair) {
  return std::min(kRoundoffs * Roundoff(pair), kMostExplained);
}

Worst MarginOf(const NamedStat& s, const SummaryPair& pair) {
  const double g = *(pair.golden.*s.stat), t = *(pair.target.*s.stat);
  Worst out{s.name, g, t, 0};
  if (g == t) return out;
  const double explained = Explained(pair) * ScaleOf(pair.golden, s.stat);
  const bool measured = explained > 0 && std::isfinite(explained);
  out.margin = measured ? std::fabs(t - g) / explained : INFINITY;
  return out;
}

// How far the values are from each other, as their sketches tell.
Worst MarginOfSketches(const SummaryPair& pair, Row& row) {
  const double l2 = pair.golden.l2.value_or(0);
  const double distance =
      SketchDistance(pair.golden.sketch, pair.target.sketch);
  Worst out{"rel_l2", 0, 0, 0};
  if (distance == 0) return out;
  if (!(l2 > 0) || !std::isfinite(l2)) return {"rel_l2", 0, distance, INFINITY};
  out.target = distance / l2;
  out.margin = out.target / Explained(pair);
  row.metrics.Set(*FindMetric("rel_l2"), Number(out.target));
  return out;
}

// How many there are is a statistic, too.
bool SameCounts(const SummaryPair& pair) {
  const TensorSummary &g = pair.golden, &t = pair.target;
  return (!g.nan || !t.nan || g.nan == t.nan) &&
         (!g.inf || !t.inf || g.inf == t.inf);
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
  out.std = metric("std_golden");
  out.l2 = metric("l2_golden");
  out.nan = stats.nan_golden;
  out.inf = stats.inf_golden;
  // Dumps take NaN and Inf into these; which sign is not known here.
  if (stats.nan_golden > 0) {
    out.min = out.max = out.mean = out.std = out.l2 = NAN;
  } else if (stats.inf_golden > 0) {
    out.min = out.max = out.mean = out.std = out.l2 = std::nullopt;
  }
  return out;
}

namespace {

std::string Different(const Worst& worst) {
  if (worst.name == "rel_l2") {
    return fmt::format(
        "rel_l2 is about {}, {}x what rounding explains; only statistics and "
        "a sketch were kept",
        RoundedText(worst.target), RoundedText(worst.margin));
  }
  return fmt::format(
      "{} is {} in golden and {} in target; only statistics were kept",
      worst.name, RoundedText(worst.golden), RoundedText(worst.target));
}

void Judge(const SummaryPair& pair, Row& row) {
  if (JudgeByHash(pair, row)) return;
  const std::string one_sided = OneSidedSpecial(pair.golden, pair.target);
  if (!one_sided.empty()) return Decide(row, Verdict::kFail, one_sided);
  Worst worst;
  std::vector<std::string> compared;
  for (const NamedStat& s : kStats) {
    if (!Comparable(pair, s.stat)) continue;
    const Worst mine = MarginOf(s, pair);
    if (compared.empty() || mine.margin > worst.margin) worst = mine;
    compared.emplace_back(s.name);
  }
  if (HasSketches(pair)) {
    const Worst mine = MarginOfSketches(pair, row);
    if (mine.margin >= worst.margin) worst = mine;
    compared.emplace_back("rel_l2 of the sketches (within 10 %)");
  }
  if (!SameCounts(pair)) {
    Decide(row, Verdict::kUnsure,
           "the numbers of NaN or Inf differ; only statistics were kept");
    return;
  }
  if (compared.empty()) return DecideWithoutNumbers(pair, row);
  const std::string names = fmt::format("{}", fmt::join(compared, ", "));
  row.floor =
      Floor{.level = "type",
            .metric = std::string(worst.name),
            .value = Explained(pair),
            .margin = std::isfinite(worst.margin) ? std::optional(worst.margin)
                                                  : std::nullopt};
  if (worst.margin > 1) {
    Decide(row, Verdict::kUnsure, Different(worst));
  } else if (IsConstant(pair.golden) && IsConstant(pair.target)) {
    Decide(row, Verdict::kTrivial,
           fmt::format("{} agree, and all values are equal", names));
  } else {
    Decide(row, Verdict::kPass,
           fmt::format("{} agree within rounding; only statistics were kept",
                       names));
  }
  const std::string shared = SharedSpecials(pair.golden);
  if (!shared.empty()) row.why += "; " + shared;
}

}  // namespace

void JudgeBySummary(const SummaryPair& pair, Row& row) {
  row.evidence = "summary";
  SetMetrics(pair, row);
  Judge(pair, row);
  if (row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure) {
    row.cause = Cause::kUnknown;
  }
}

}  // namespace assay
