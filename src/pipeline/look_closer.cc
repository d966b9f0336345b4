#include "pipeline/look_closer.h"

#include "kernel/pair_blocks.h"

namespace assay {

Result<Detail> LookCloser(const MeasureJob& job, const ExamineWants& wants,
                          const WorkBuffers& buffers,
                          const std::atomic<bool>& stop) {
  ASSIGN_OR_RETURN(const OpenView golden, OpenView::Open(job.golden));
  ASSIGN_OR_RETURN(const OpenView target, OpenView::Open(job.target));
  ASSIGN_OR_RETURN(PairBlocks blocks,
                   PairBlocks::Open(golden, target, {0, RealCount(job.golden)},
                                    ReadMode::kRead, buffers));
  Examiner examiner(job.golden.dtype(), job.target.dtype(), wants);
  while (!stop.load(std::memory_order_relaxed)) {
    ASSIGN_OR_RETURN(const TilePair tile, blocks.Next());
    if (tile.n == 0) return std::move(examiner).Finish();
    examiner.Add(tile);
  }
  return MakeError(ErrorCode::kInterrupted, "interrupted");
}

Shape ElementIndex(uint64_t flat, const StoredView& view) {
  return Coordinates(IsComplex(view.dtype()) ? flat / 2 : flat, view.shape);
}

}  // namespace assay
