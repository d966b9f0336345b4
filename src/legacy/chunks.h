#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/mapped_window.h"
#include "base/parallel.h"
#include "kernel/pair_blocks.h"
#include "kernel/work_buffers.h"
#include "pipeline/measure.h"

namespace assay {

// A side of a pair, open to be read more than once. One that is float32 already
// is at hand as a whole, so that only the first pass pays for it: read if it is
// small, else mapped.
struct ChunkSide {
  OpenView open;
  uint64_t count = 0;  // elements
  std::vector<float> small;
  std::optional<MappedWindow> mapped;

  static Result<ChunkSide> Open(const StoredView& view);
  // All elements as float32; null if they come piece by piece.
  const float* Whole() const;
};

// One side of a pair as NumPy's astype(T).ravel() gives it, T float, double or
// int64_t: complex numbers lose their imaginary part.
template <typename T>
class ChunkReader {
 public:
  // Those of the range that the side has. Needs no buffers where the side is
  // at hand as a whole.
  static Result<ChunkReader> Open(const ChunkSide& side, BlockRange range,
                                  WorkBuffers::Side buffers);
  static bool NeedsBuffers(const ChunkSide& side) {
    return !std::is_same_v<T, float> || side.Whole() == nullptr;
  }

  // The next elements, at most kNumpyChunk; zeros behind the last.
  Result<const T*> Next(size_t wanted);
  // Good only if the file stayed whole.
  Status Finish();

 private:
  Result<const T*> RealParts(size_t n);
  const T* Padded(const T* values, size_t n, size_t wanted);

  const ChunkSide* side_ = nullptr;
  const T* whole_ = nullptr;  // what is left of it
  std::optional<TileReader> reader_;
  uint64_t left_ = 0;  // elements
  bool complex_ = false;
  std::vector<T> chunk_;  // where the tile is not the chunk
};

extern template class ChunkReader<float>;
extern template class ChunkReader<double>;
extern template class ChunkReader<int64_t>;

template <typename T>
struct ChunkPair {
  const T* my;
  const T* golden;
  size_t n;
};

// A pair with its files open, to be read as often as a formula needs. A side
// that is shorter than `count` is followed by zeros.
class PairChunks {
 public:
  // `job` outlives it.
  static Result<PairChunks> Open(const MeasureJob& job);
  static Result<PairChunks> Open(MeasureJob&& job) = delete;

  uint64_t my_count() const { return my_.count; }
  uint64_t golden_count() const { return golden_.count; }

  // Calls visit(ChunkPair<T>) for `count` elements, chunk by chunk.
  template <typename T, typename Visit>
  Status ForEach(uint64_t count, const Visit& visit) const {
    return ForRange<T>({0, count}, *buffers_, 0, visit);
  }

  // add(of(ChunkPair<T>)) for `count` elements: `of` by several threads, `add`
  // in order.
  template <typename T, typename Of, typename Add>
  Status Fold(uint64_t count, int threads, const Of& of, const Add& add) const {
    if (threads <= 1 || !seekable_) {
      return ForEach<T>(count, [&](const ChunkPair<T>& c) { add(of(c)); });
    }
    using Part = std::invoke_result_t<Of, const ChunkPair<T>&>;
    constexpr uint64_t kPart = 128 * kBlock;
    struct Range {
      std::vector<Part> parts;
      Status status = Done{};
    };
    WorkerBuffers buffers(threads);
    for (uint64_t begin = 0; begin < count;) {
      // A round: what is kept does not grow with the pair.
      std::vector<Range> round(16 * static_cast<size_t>(threads));
      ParallelFor(round.size(), threads, [&](size_t i, size_t worker) {
        const uint64_t from = std::min(count, begin + i * kPart);
        round[i].status = ForRange<T>(
            {from, std::min(count, from + kPart)}, buffers, worker,
            [&](const ChunkPair<T>& c) { round[i].parts.push_back(of(c)); });
      });
      for (const Range& range : round) {
        RETURN_IF_ERROR(range.status);
        for (const Part& part : range.parts) add(part);
      }
      begin += round.size() * kPart;
    }
    return Done{};
  }

 private:
  template <typename T, typename Visit>
  Status ForRange(BlockRange range, WorkerBuffers& buffers, size_t worker,
                  const Visit& visit) const {
    using Reader = ChunkReader<T>;
    WorkBuffers::Side for_my, for_golden;
    if (Reader::NeedsBuffers(my_) || Reader::NeedsBuffers(golden_)) {
      for_my = buffers.Of(worker).target();
      for_golden = buffers.Of(worker).golden();
    }
    ASSIGN_OR_RETURN(auto my, Reader::Open(my_, range, for_my));
    ASSIGN_OR_RETURN(auto golden, Reader::Open(golden_, range, for_golden));
    for (uint64_t left = range.end - range.begin; left > 0;) {
      const auto n = static_cast<size_t>(std::min<uint64_t>(left, kBlock));
      ASSIGN_OR_RETURN(const T* m, my.Next(n));
      ASSIGN_OR_RETURN(const T* g, golden.Next(n));
      visit(ChunkPair<T>{m, g, n});
      left -= n;
    }
    RETURN_IF_ERROR(my.Finish());
    return golden.Finish();
  }

  ChunkSide my_, golden_;
  std::unique_ptr<WorkerBuffers> buffers_;
  bool seekable_ = false;
};

}  // namespace assay
