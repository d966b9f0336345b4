#include "pipeline/measure.h"

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>

#include "base/parallel.h"
#include "kernel/pair_blocks.h"
#include "pipeline/read_choice.h"

namespace assay {
namespace {

// A range of chunks of one job that one worker does in one go.
struct Item {
  uint32_t job = 0;
  uint32_t first_chunk = 0, chunks = 0;
  uint64_t bytes = 0;  // of both sides, about
};

uint64_t Chunks(const MeasureJob& job) {
  return (RealCount(job.golden) + kChunk - 1) / kChunk;
}

// Tensors that cannot be opened in the middle are one item.
void AddItems(std::span<const MeasureJob> jobs, uint32_t j,
              std::vector<Item>& items) {
  const auto chunks = static_cast<uint32_t>(Chunks(jobs[j]));
  const uint64_t bytes = StoredBytes(jobs[j]);
  if (chunks <= 1 || !IsSeekable(jobs[j].golden) ||
      !IsSeekable(jobs[j].target)) {
    items.push_back({j, 0, chunks, bytes});
    return;
  }
  for (uint32_t c = 0; c < chunks; ++c) {
    items.push_back({j, c, 1, bytes / chunks});
  }
}

std::vector<Item> MakeItems(std::span<const MeasureJob> jobs) {
  std::vector<Item> items;
  items.reserve(jobs.size());
  for (uint32_t j = 0; j < jobs.size(); ++j) AddItems(jobs, j, items);
  // Largest first, so that no thread is left alone with a large one.
  std::stable_sort(
      items.begin(), items.end(),
      [](const Item& a, const Item& b) { return a.bytes > b.bytes; });
  return items;
}

// Calls visit(chunk, tile) for every block of an item.
template <typename Visit>
Status VisitBlocks(const MeasureJob& job, const Item& item, ReadMode mode,
                   const WorkBuffers& buffers, const std::atomic<bool>& stop,
                   const Visit& visit) {
  ASSIGN_OR_RETURN(const OpenView golden, OpenView::Open(job.golden));
  ASSIGN_OR_RETURN(const OpenView target, OpenView::Open(job.target));
  const uint64_t begin = item.first_chunk * kChunk;
  const uint64_t end =
      std::min(begin + item.chunks * kChunk, RealCount(job.golden));
  ASSIGN_OR_RETURN(
      PairBlocks blocks,
      PairBlocks::Open(golden, target, {begin, end}, mode, buffers));
  while (!stop.load(std::memory_order_relaxed)) {
    ASSIGN_OR_RETURN(const TilePair tile, blocks.Next());
    if (tile.n == 0) return Done{};
    visit(static_cast<size_t>(tile.base / kChunk), tile);
  }
  return MakeError(ErrorCode::kInterrupted, "interrupted");
}

// One sweep over all jobs: Partial is what a chunk leaves behind.
template <typename Partial>
class Sweep {
 public:
  Sweep(std::span<const MeasureJob> jobs, int threads, Progress& progress,
        const std::atomic<bool>& stop)
      : jobs_(jobs),
        threads_(threads),
        progress_(progress),
        stop_(stop),
        choice_(threads),
        states_(jobs.size()) {
    for (size_t j = 0; j < jobs.size(); ++j) {
      states_[j].left = std::max<uint64_t>(1, Chunks(jobs[j]));
      states_[j].partials.resize(Chunks(jobs[j]));
    }
  }

  // add(job index, tile, partial) is called for the blocks of each chunk.
  template <typename Add>
  void Run(const Add& add) {
    const std::vector<Item> items = MakeItems(jobs_);
    WorkerBuffers buffers(threads_);
    ParallelFor(
        items.size(), threads_,
        [&](size_t i, size_t worker) {
          // Subnormals must not be flushed, whatever started this process.
          std::fesetenv(FE_DFL_ENV);
          RunItem(items[i], buffers.Of(worker), add);
        },
        &stop_);
  }

  bool Finished(size_t job) const { return states_[job].left.load() == 0; }
  const ErrorRef& ErrorOf(size_t job) const { return states_[job].error; }
  // In index order: the same for any number of threads.
  Partial Merged(size_t job) const {
    Partial all;
    for (const Partial& partial : states_[job].partials) all.Merge(partial);
    return all;
  }

 private:
  struct State {
    std::vector<Partial> partials;   // one per chunk
    std::atomic<uint64_t> left = 0;  // chunks not done yet
    ErrorRef error;
  };

  template <typename Add>
  void RunItem(const Item& item, const WorkBuffers& buffers, const Add& add) {
    const ReadMode mode = choice_.Pick(item.bytes / 2);
    const auto start = std::chrono::steady_clock::now();
    Status status = Guarded(item, mode, buffers, add);
    const auto time = std::chrono::steady_clock::now() - start;
    choice_.Report(
        mode, item.bytes / 2,
        static_cast<uint64_t>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(time)
                .count()));
    if (!status && status.error().code == ErrorCode::kInterrupted) return;
    State& state = states_[item.job];
    if (!status) {
      const std::lock_guard lock(mutex_);
      if (!state.error) {
        state.error = std::make_shared<Error>(std::move(status).error());
      }
    }
    state.left.fetch_sub(std::max<uint32_t>(1, item.chunks));
    progress_.Add(item.bytes);
  }

  // A library's exception costs this row, not the run.
  template <typename Add>
  Status Guarded(const Item& item, ReadMode mode, const WorkBuffers& buffers,
                 const Add& add) {
    try {
      State& state = states_[item.job];
      return VisitBlocks(jobs_[item.job], item, mode, buffers, stop_,
                         [&](size_t chunk, const TilePair& tile) {
                           add(item.job, tile, state.partials[chunk]);
                         });
    } catch (const std::exception& e) {
      return Internal("unexpected: {}", e.what())
          .At(jobs_[item.job].target.parts.front().path);
    }
  }

  std::span<const MeasureJob> jobs_;
  int threads_;
  Progress& progress_;
  const std::atomic<bool>& stop_;
  ReadChoice choice_;
  std::mutex mutex_;  // for errors
  std::vector<State> states_;
};

bool HasNoSign(DType type) {
  return type == DType::kBool || Info(type).is_unsigned;
}

// Two types without a sign are taken as the widest of them: their differences
// stay whole numbers. With a signed type only u64 needs to say what it is.
void ReduceWhole(const TilePair& tile, DType golden, DType target,
                 const Tolerance& tolerance, PairStats& stats) {
  const bool no_sign = HasNoSign(golden) && HasNoSign(target);
  const bool wide = golden == DType::kU64 || target == DType::kU64;
  const auto is_unsigned = [&](DType type) {
    return type == DType::kU64 || (no_sign && wide);
  };
  ReduceIntegers({tile.Golden<int64_t>(), is_unsigned(golden)},
                 {tile.Target<int64_t>(), is_unsigned(target)}, tile.n,
                 tile.base, tolerance, stats);
}

}  // namespace

uint64_t StoredBytes(const MeasureJob& job) {
  return job.golden.stored_bytes() + job.target.stored_bytes();
}

void ReduceTile(const TilePair& tile, DType golden, DType target,
                const MeasureOptions& options, PairStats& stats) {
  const Tolerance& tol = options.tolerance;
  switch (tile.type) {
    case TileType::kF32:
      options.kernels->f32(tile.Golden<float>(), tile.Target<float>(), tile.n,
                           tile.base, tol, stats);
      return;
    case TileType::kF64:
      options.kernels->f64(tile.Golden<double>(), tile.Target<double>(), tile.n,
                           tile.base, tol, stats);
      return;
    case TileType::kI64:
      ReduceWhole(tile, golden, target, tol, stats);
      return;
  }
}

std::vector<Measured> Measure(std::span<const MeasureJob> jobs,
                              const MeasureOptions& options, Progress& progress,
                              const std::atomic<bool>& stop) {
  std::vector<Measured> out(jobs.size());
  Sweep<PairStats> first(jobs, options.threads, progress, stop);
  first.Run([&](size_t j, const TilePair& tile, PairStats& stats) {
    ReduceTile(tile, jobs[j].golden.dtype(), jobs[j].target.dtype(), options,
               stats);
  });
  for (size_t j = 0; j < jobs.size(); ++j) {
    out[j].stats = first.Merged(j);
    out[j].error = first.ErrorOf(j);
    out[j].done = first.Finished(j);
  }
  if (!options.extras.any()) return out;

  Sweep<ExtraSums> second(jobs, options.threads, progress, stop);
  second.Run([&](size_t j, const TilePair& tile, ExtraSums& sums) {
    AddExtras(tile, options.extras, out[j].stats, sums);
  });
  for (size_t j = 0; j < jobs.size(); ++j) {
    out[j].extra = FinishExtras(second.Merged(j), options.extras, out[j].stats);
    out[j].done = out[j].done && second.Finished(j);
    if (!out[j].error) out[j].error = second.ErrorOf(j);
  }
  return out;
}

}  // namespace assay
