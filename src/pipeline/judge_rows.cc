#include "pipeline/judge_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.h"
#include "judge/by_summary.h"
#include "pipeline/record.h"

namespace assay {
namespace {

void SetMetrics(const Measured& measured, const CompareOptions& options,
                Row& row) {
  const auto& asked = options.metrics;
  const auto wanted = [&](const Metric& metric) {
    if (asked.empty()) return metric.pass == Pass::kFirst;
    return std::find(asked.begin(), asked.end(), &metric) != asked.end();
  };
  row.metrics.Reserve(
      static_cast<size_t>(std::ranges::count_if(AllMetrics(), wanted)));
  for (const Metric& metric : AllMetrics()) {
    if (!wanted(metric)) continue;
    row.metrics.Set(metric, metric.value(measured.stats, measured.extra));
  }
}

// Metrics without a value have their reason in `why`.
void SayWhatIsMissing(const PairStats& stats, Row& row) {
  const std::string reason = UndefinedReason(stats);
  if (!reason.empty() && row.why.find(reason) == std::string::npos) {
    row.why += "; some metrics have no value: " + reason;
  }
}

// What a statistics dump would tell of the side that has values.
TensorSummary Describe(const Planned& planned, const Measured& measured,
                       const CompareOptions& options) {
  const auto &g = planned.golden_summary, &t = planned.target_summary;
  if (!(g ? g : t)->sketch.empty()) {
    auto whole = SummariseView(planned.job->golden, options.measure, {});
    if (whole) return *std::move(whole);
  }
  TensorSummary full = Describe(measured.stats);
  // Dumps tell of the magnitudes of complex numbers, this of their parts.
  if (IsComplex(planned.golden_type)) full.min = full.max = full.mean = {};
  return full;
}

void JudgeSummary(const Planned& planned, const Measured& measured,
                  const CompareOptions& options, Row& row) {
  const TensorSummary full = Describe(planned, measured, options);
  const auto &g = planned.golden_summary, &t = planned.target_summary;
  JudgeBySummary(
      {g ? *g : full, t ? *t : full, planned.golden_type, planned.target_type},
      row);
}

void JudgeRow(const Planned& planned, const Measured& measured,
              std::optional<double> noise, const CompareOptions& options,
              Row& row) {
  if (measured.error) {
    row.verdict = Verdict::kError;
    row.error = measured.error;
    row.why = measured.error->what;
    return;
  }
  if (!measured.done) {
    row.verdict = Verdict::kSkipped;
    row.why = "interrupted before it was measured";
    return;
  }
  if (planned.BySummary()) return JudgeSummary(planned, measured, options, row);
  SetMetrics(measured, options, row);
  Judgement judgement = Judge({.golden = planned.job->golden.dtype(),
                               .target = planned.job->target.dtype(),
                               .stats = measured.stats,
                               .extra = measured.extra,
                               .noise = noise,
                               .step = planned.step},
                              options.judge);
  row.verdict = judgement.verdict;
  row.why = std::move(judgement.why);
  row.floor = std::move(judgement.floor);
  const Shape &g = planned.job->golden.shape, &t = planned.job->target.shape;
  if (g != t) {
    row.why +=
        fmt::format("; shapes differ, compared flat: golden {}, target {}",
                    ToText(g), ToText(t));
  }
  SayWhatIsMissing(measured.stats, row);
}

}  // namespace

void JudgeRows(const std::vector<Planned*>& owners,
               const std::vector<Measured>& measured, const Noise& noise,
               const CompareOptions& options) {
  ParallelFor(owners.size(), options.measure.threads, [&](size_t i, size_t) {
    const auto floor = noise.rel_l2.find(owners[i]->golden);
    JudgeRow(*owners[i], measured[i],
             floor == noise.rel_l2.end() ? std::nullopt
                                         : std::optional(floor->second),
             options, owners[i]->row);
  });
}

}  // namespace assay
