#include "pipeline/examine_rows.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "core/operator_traits.h"
#include "judge/constants.h"
#include "pipeline/look_closer.h"

namespace assay {
namespace {

bool IsBad(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

// Sums that agree although the elements do not: perhaps only the order differs.
bool MaybeReordered(const PairStats& s) {
  const auto near = [](double a, double b) {
    return std::fabs(a - b) <= 1e-6 * (std::fabs(a) + std::fabs(b));
  };
  return s.used == s.count && s.count >= kEnoughForOrder &&
         !Less(s.min_golden, s.min_target, s.golden_kind) &&
         !Less(s.min_target, s.min_golden, s.golden_kind) &&
         near(s.SumSquaresGolden(), s.SumSquaresTarget());
}

// Where rounding turns a comparison, indices of a sort change places, and so do
// signs and flags: the values stay the same by themselves.
bool MayBeRounding(const MeasureJob& job, const PairStats& s,
                   std::string_view type) {
  const bool coarse = Info(job.golden.dtype()).kind == DKind::kInteger ||
                      s.fraction_bits_golden < kLeastFraction;
  const double moved = static_cast<double>(s.count - s.equal);
  return IsChoice(type) ||
         (coarse && moved < kEnoughMoved * static_cast<double>(s.count));
}

void ExamineRow(const MeasureJob& job, const PairStats& stats, size_t worst,
                const WorkBuffers& buffers, const std::atomic<bool>& stop,
                Row& row) {
  const bool reordered = row.verdict == Verdict::kUnsure &&
                         MaybeReordered(stats) &&
                         !MayBeRounding(job, stats, row.type);
  const Result<Detail> detail = LookCloser(
      job, {.worst = worst, .same_values = reordered}, buffers, stop);
  if (!detail) return;  // the row keeps what the first pass found
  for (const ElementAt& at : detail->worst) {
    row.worst.push_back(
        {ElementIndex(at.index, job.golden), at.golden, at.target});
  }
  if (!detail->same_values) return;
  row.verdict = Verdict::kFail;
  row.why = "the same values in another order";
}

}  // namespace

void ExamineBadRows(const std::vector<Planned*>& owners,
                    const std::vector<Measured>& measured,
                    const CompareOptions& options,
                    const std::atomic<bool>& stop) {
  std::vector<std::pair<Planned*, const Measured*>> bad;
  for (size_t i = 0; i < owners.size(); ++i) {
    if (IsBad(owners[i]->row) && !owners[i]->BySummary())
      bad.emplace_back(owners[i], &measured[i]);
  }
  // Largest first, so that no thread is left alone with a large one.
  std::stable_sort(bad.begin(), bad.end(), [](const auto& a, const auto& b) {
    return StoredBytes(*a.first->job) > StoredBytes(*b.first->job);
  });
  WorkerBuffers buffers(options.measure.threads);
  ParallelFor(
      bad.size(), options.measure.threads,
      [&](size_t i, size_t worker) {
        const auto& [p, m] = bad[i];
        ExamineRow(*p->job, m->stats, options.worst, buffers.Of(worker), stop,
                   p->row);
      },
      &stop);
  for (const auto& [p, m] : bad) p->row.cause = Cause::kUnknown;
}

}  // namespace assay
