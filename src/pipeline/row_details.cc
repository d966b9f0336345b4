#include "pipeline/row_details.h"

#include <algorithm>

#include "base/parallel.h"
#include "pipeline/look_closer.h"

namespace assay {
namespace {

constexpr uint64_t kMostElements = uint64_t{1} << 27;  // of all rows together

double AsReal(RawNumber raw, NumberKind kind) {
  return Number(raw, kind).AsDouble();
}

ExamineWants WantsOf(const PairStats& s) {
  ExamineWants wants{.worst = kLensElements, .spread = true, .places = true};
  wants.count = s.count;
  if (s.used == 0) return wants;
  wants.low = std::min(AsReal(s.min_golden, s.golden_kind),
                       AsReal(s.min_target, s.target_kind));
  wants.high = std::max(AsReal(s.max_golden, s.golden_kind),
                        AsReal(s.max_target, s.target_kind));
  return wants;
}

std::vector<Element> Located(const std::vector<ElementAt>& elements,
                             const StoredView& view) {
  std::vector<Element> out;
  for (const ElementAt& at : elements) {
    out.push_back({ElementIndex(at.index, view), at.golden, at.target});
  }
  return out;
}

double MarginOf(const Row& row) {
  return row.floor && row.floor->margin ? *row.floor->margin : 0;
}

// Origins first, then failures, then by margin.
bool MoreTelling(const Row& a, const Row& b) {
  const auto key = [](const Row& row) {
    return std::tuple(row.cause != Cause::kOrigin,
                      row.verdict != Verdict::kFail, -MarginOf(row),
                      row.number);
  };
  return key(a) < key(b);
}

using Chosen = std::pair<Planned*, const Measured*>;

std::vector<Chosen> Choose(std::span<Planned* const> owners,
                           std::span<const Measured> measured, size_t most) {
  std::vector<Chosen> chosen;
  for (size_t i = 0; i < owners.size(); ++i) {
    const Verdict verdict = owners[i]->row.verdict;
    const bool bad = verdict == Verdict::kFail || verdict == Verdict::kUnsure;
    if (bad && !owners[i]->BySummary()) {
      chosen.emplace_back(owners[i], &measured[i]);
    }
  }
  std::ranges::sort(chosen, [](const Chosen& a, const Chosen& b) {
    return MoreTelling(a.first->row, b.first->row);
  });
  if (chosen.size() > most) chosen.resize(most);
  uint64_t elements = 0;
  std::erase_if(chosen, [&](const Chosen& one) {
    const uint64_t count = one.second->stats.count;
    if (elements + count > kMostElements) return true;
    elements += count;
    return false;
  });
  return chosen;
}

}  // namespace

Result<RowDetail> DetailOf(const MeasureJob& job, const PairStats& stats,
                           const WorkBuffers& buffers,
                           const std::atomic<bool>& stop) {
  ASSIGN_OR_RETURN(Detail detail,
                   LookCloser(job, WantsOf(stats), buffers, stop));
  return RowDetail{.spread = detail.spread,
                   .absolute = Located(detail.worst, job.golden),
                   .relative = Located(detail.relative, job.golden)};
}

void KeepDetails(std::span<Planned* const> owners,
                 std::span<const Measured> measured, size_t most, int threads,
                 const std::atomic<bool>& stop) {
  const std::vector<Chosen> chosen = Choose(owners, measured, most);
  WorkerBuffers buffers(threads);
  ParallelFor(
      chosen.size(), threads,
      [&](size_t i, size_t worker) {
        const auto& [planned, m] = chosen[i];
        auto detail =
            DetailOf(*planned->job, m->stats, buffers.Of(worker), stop);
        if (!detail) return;  // the row keeps what the passes before found
        planned->row.detail =
            std::make_shared<const RowDetail>(*std::move(detail));
      },
      &stop);
}

}  // namespace assay
