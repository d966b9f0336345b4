#include "pipeline/look_closer.h"

#include "kernel/pair_blocks.h"

namespace assay {

Result<Detail> LookCloser(const MeasureJob& job, const ExamineWants& wants,
                          const WorkBuffers& buffers,
                          const std::atomic<bool>& stop) {
  ASSIGN_OR_RETURN(const InputFile golden, InputFile::Open(job.golden_path));
  ASSIGN_OR_RETURN(const InputFile target, InputFile::Open(job.target_path));
  ASSIGN_OR_RETURN(
      PairBlocks blocks,
      PairBlocks::Open({golden, *job.golden}, {target, *job.target},
                       {0, RealCount(*job.golden)}, ReadMode::kRead, buffers));
  Examiner examiner(job.golden->dtype, job.target->dtype, wants);
  while (!stop.load(std::memory_order_relaxed)) {
    ASSIGN_OR_RETURN(const TilePair tile, blocks.Next());
    if (tile.n == 0) return std::move(examiner).Finish();
    examiner.Add(tile);
  }
  return MakeError(ErrorCode::kInterrupted, "interrupted");
}

Shape ElementIndex(uint64_t flat, const StoredTensor& tensor) {
  return Coordinates(IsComplex(tensor.dtype) ? flat / 2 : flat, tensor.shape);
}

}  // namespace assay
