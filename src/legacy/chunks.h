#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/mapped_window.h"
#include "kernel/pair_blocks.h"
#include "kernel/work_buffers.h"
#include "pipeline/measure.h"

namespace assay {

// A side of a pair, open to be read more than once. One that is float32 already
// is mapped as a whole, so that only the first pass pays for it.
struct ChunkSide {
  OpenView open;
  uint64_t count = 0;  // elements
  std::optional<MappedWindow> whole;

  static Result<ChunkSide> Open(const StoredView& view);
};

// One side of a pair as NumPy's astype(T).ravel() gives it, T float, double or
// int64_t: complex numbers lose their imaginary part.
template <typename T>
class ChunkReader {
 public:
  // The first `count` elements.
  static Result<ChunkReader> Open(const ChunkSide& side, uint64_t count,
                                  WorkBuffers::Side buffers);

  // The next chunk: kNumpyChunk elements, fewer in the last; zeros after that.
  Result<const T*> Next();
  // Good only if the file stayed whole.
  Status Finish();

 private:
  Result<const T*> RealParts(size_t n);
  const T* Padded(const T* values, size_t n);

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
    ASSIGN_OR_RETURN(auto my,
                     ChunkReader<T>::Open(my_, std::min(count, my_.count),
                                          buffers_->target()));
    ASSIGN_OR_RETURN(auto golden, ChunkReader<T>::Open(
                                      golden_, std::min(count, golden_.count),
                                      buffers_->golden()));
    for (uint64_t left = count; left > 0;) {
      ASSIGN_OR_RETURN(const T* m, my.Next());
      ASSIGN_OR_RETURN(const T* g, golden.Next());
      const auto n = static_cast<size_t>(std::min<uint64_t>(left, kBlock));
      visit(ChunkPair<T>{m, g, n});
      left -= n;
    }
    RETURN_IF_ERROR(my.Finish());
    return golden.Finish();
  }

 private:
  ChunkSide my_, golden_;
  std::unique_ptr<WorkBuffers> buffers_;
};

}  // namespace assay
