#include "pipeline/odd_slices.h"

#include <algorithm>

#include "base/parallel.h"
#include "judge/constants.h"
#include "judge/odd_slice.h"
#include "kernel/axis_summer.h"

namespace assay {
namespace {

constexpr uint64_t kMostElements = uint64_t{1} << 26;  // of all rows together

uint64_t Count(const Planned& planned) {
  return ElementCount(planned.job->golden.shape).value_or(0);
}

Result<std::vector<AxisSums>> SumAxes(const MeasureJob& job,
                                      const WorkBuffers& buffers,
                                      const std::atomic<bool>& stop) {
  AxisSummer summer(job.golden.shape, kEnoughIndices, kEnoughInSlice);
  if (!summer.wants()) return std::vector<AxisSums>();
  ASSIGN_OR_RETURN(const OpenView golden, OpenView::Open(job.golden));
  ASSIGN_OR_RETURN(const OpenView target, OpenView::Open(job.target));
  ASSIGN_OR_RETURN(PairBlocks blocks,
                   PairBlocks::Open(golden, target, {0, RealCount(job.golden)},
                                    ReadMode::kRead, buffers));
  while (!stop.load(std::memory_order_relaxed)) {
    ASSIGN_OR_RETURN(const TilePair tile, blocks.Next());
    if (tile.n == 0) return std::move(summer).Finish();
    summer.Add(tile);
  }
  return MakeError(ErrorCode::kInterrupted, "interrupted");
}

class OddSlices {
 public:
  OddSlices(const std::vector<Planned>& planned,
            std::span<const Ingredients> from, const Measurements& m,
            std::span<TensorFacts> facts)
      : planned_(planned), from_(from), m_(m), facts_(facts) {}

  void Run() {
    const std::vector<uint32_t> rows = Candidates();
    const int threads = m_.options.threads;
    WorkerBuffers buffers(threads);
    ParallelFor(
        rows.size(), threads,
        [&](size_t i, size_t worker) {
          facts_[rows[i]].odd = Find(rows[i], buffers.Of(worker));
        },
        &m_.stop);
  }

 private:
  bool IsMeasured(uint32_t row) const {
    const TensorFacts& facts = facts_[row];
    return planned_[row].job && facts.measured && !facts.one_sided &&
           !facts.whole && !planned_[row].BySummary() &&
           !IsComplex(planned_[row].job->golden.dtype());
  }

  std::vector<uint32_t> Candidates() const {
    std::vector<uint32_t> out;
    uint64_t elements = 0;
    for (uint32_t i = 0; i < planned_.size(); ++i) {
      const Ingredients& from = from_[i];
      if (planned_[i].row.verdict != Verdict::kUnsure || from.is_input ||
          from.rows.empty() || !from.complete || !IsMeasured(i) ||
          !std::ranges::all_of(from.rows,
                               [&](uint32_t k) { return IsMeasured(k); })) {
        continue;
      }
      if (elements + Count(planned_[i]) > kMostElements) continue;
      elements += Count(planned_[i]);
      out.push_back(i);
    }
    return out;
  }

  std::optional<OddSlice> Find(uint32_t row, const WorkBuffers& buffers) const {
    const MeasureJob& job = *planned_[row].job;
    const auto sums = SumAxes(job, buffers, m_.stop);
    if (!sums) return std::nullopt;
    const auto odd = FindOddSlice(*sums, facts_[row].roundoff);
    if (!odd) return std::nullopt;
    for (const uint32_t k : from_[row].rows) {
      if (facts_[k].equal) continue;
      const MeasureJob& input = *planned_[k].job;
      const auto before = SumAxes(input, buffers, m_.stop);
      const bool same = input.golden.shape == job.golden.shape;
      if (!before || Shows(*before, *odd, same)) return std::nullopt;
    }
    return odd;
  }

  const std::vector<Planned>& planned_;
  std::span<const Ingredients> from_;
  const Measurements& m_;
  std::span<TensorFacts> facts_;
};

}  // namespace

void MarkOddSlices(const std::vector<Planned>& planned,
                   std::span<const Ingredients> from,
                   const Measurements& measurements,
                   std::span<TensorFacts> facts) {
  OddSlices(planned, from, measurements, facts).Run();
}

}  // namespace assay
