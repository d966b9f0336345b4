#include "pipeline/fingerprint.h"

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/progress.h"
#include "kernel/pair_blocks.h"
#include "pipeline/align.h"

namespace assay {
namespace {

constexpr uint64_t kFirst = 32;  // values kept

template <typename T>
void AddValues(const TilePair& tile, std::vector<double>& out) {
  for (size_t i = 0; i < tile.n; ++i) {
    out.push_back(static_cast<double>(tile.Golden<T>()[i]));
  }
}

Status ReadFirst(const StoredView& view, const WorkBuffers& buffers,
                 std::vector<double>& out) {
  const uint64_t count = std::min(kFirst, RealCount(view));
  ASSIGN_OR_RETURN(const OpenView side, OpenView::Open(view));
  ASSIGN_OR_RETURN(
      PairBlocks blocks,
      PairBlocks::Open(side, side, {0, count}, ReadMode::kRead, buffers));
  ASSIGN_OR_RETURN(const TilePair tile, blocks.Next());
  switch (tile.type) {
    case TileType::kF32:
      AddValues<float>(tile, out);
      break;
    case TileType::kF64:
      AddValues<double>(tile, out);
      break;
    case TileType::kI64:
      AddValues<int64_t>(tile, out);
      break;
  }
  return Done{};
}

Fingerprint FromStats(const PairStats& stats, const StoredView& view) {
  Fingerprint print{.kind = Info(view.dtype()).kind, .shape = view.shape};
  if (stats.used == 0) return print;
  print.known = true;
  print.min = Number(stats.min_golden, stats.golden_kind).AsDouble();
  print.max = Number(stats.max_golden, stats.golden_kind).AsDouble();
  print.mean = stats.golden.mean;
  print.rms =
      std::sqrt(stats.SumSquaresGolden() / static_cast<double>(stats.used));
  return print;
}

// Statistics that were dumped instead of values.
Fingerprint FromSummary(const StoredTensor& tensor) {
  const TensorSummary& s = *tensor.summary;
  Fingerprint print{.kind = Info(tensor.dtype).kind, .shape = tensor.shape};
  const auto count = ElementCount(tensor.shape);
  if (!s.shape_known || !s.min || !s.max || !s.mean || !s.l2 || !count ||
      *count == 0) {
    return print;
  }
  print.known = true;
  print.min = *s.min;
  print.max = *s.max;
  print.mean = *s.mean;
  print.rms = *s.l2 / std::sqrt(static_cast<double>(*count));
  return print;
}

}  // namespace

Result<std::vector<Fingerprint>> TakeFingerprints(
    const Dump& dump, const MeasureOptions& options, bool show_progress,
    const std::atomic<bool>& stop) {
  std::vector<Fingerprint> prints(dump.tensors.size());
  std::vector<MeasureJob> jobs;
  std::vector<size_t> owners;
  uint64_t bytes = 0;
  for (size_t i = 0; i < dump.tensors.size(); ++i) {
    const TensorInfo& tensor = dump.tensors[i];
    if (tensor.stored.summary) prints[i] = FromSummary(tensor.stored);
    if (tensor.error() || !HasNumbers(tensor.stored)) continue;
    const StoredView view = SeePlain(dump, tensor).view;
    bytes += 2 * view.stored_bytes();
    jobs.push_back({view, view});
    owners.push_back(i);
  }
  Progress progress("taking fingerprints", bytes, Progress::Unit::kBytes,
                    show_progress);
  MeasureOptions plain = options;
  plain.extras = {};
  const std::vector<Measured> measured = Measure(jobs, plain, progress, stop);
  if (stop.load()) return MakeError(ErrorCode::kInterrupted, "interrupted");
  WorkerBuffers buffers(options.threads);
  ParallelFor(jobs.size(), options.threads, [&](size_t j, size_t worker) {
    if (measured[j].error) return;
    Fingerprint& print = prints[owners[j]];
    print = FromStats(measured[j].stats, jobs[j].golden);
    const Status read =
        ReadFirst(jobs[j].golden, buffers.Of(worker), print.first);
    if (!read) print.first.clear();
  });
  return prints;
}

}  // namespace assay
