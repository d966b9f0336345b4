#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "kernel/pair_blocks.h"
#include "kernel/work_buffers.h"
#include "pipeline/measure.h"

namespace assay {

// One side of a pair as NumPy's astype(T).ravel() gives it, T float, double or
// int64_t: complex numbers lose their imaginary part.
template <typename T>
class ChunkReader {
 public:
  // The first `count` elements.
  static Result<ChunkReader> Open(const OpenView& open, uint64_t count,
                                  WorkBuffers::Side buffers);

  // The next chunk: kNumpyChunk elements, fewer in the last; zeros after that.
  Result<const T*> Next();
  // Good only if the file stayed whole.
  Status Finish() { return reader_ && left_ == 0 ? reader_->Finish() : Done{}; }

 private:
  Result<const T*> RealParts(size_t n);
  const T* Padded(const T* values, size_t n);

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

  uint64_t my_count() const { return my_count_; }
  uint64_t golden_count() const { return golden_count_; }

  // Calls visit(ChunkPair<T>) for `count` elements, chunk by chunk.
  template <typename T, typename Visit>
  Status ForEach(uint64_t count, const Visit& visit) const {
    ASSIGN_OR_RETURN(auto my,
                     ChunkReader<T>::Open(my_, std::min(count, my_count_),
                                          buffers_->target()));
    ASSIGN_OR_RETURN(auto golden, ChunkReader<T>::Open(
                                      golden_, std::min(count, golden_count_),
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
  OpenView my_, golden_;
  uint64_t my_count_ = 0, golden_count_ = 0;
  std::unique_ptr<WorkBuffers> buffers_;
};

}  // namespace assay
