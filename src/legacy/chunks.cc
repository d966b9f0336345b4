#include "legacy/chunks.h"

#include <algorithm>

#include "legacy/numpy.h"

namespace assay {

static_assert(kNumpyChunk == kBlock, "a tile is a chunk");

template <typename T>
Result<ChunkReader<T>> ChunkReader<T>::Open(const OpenView& open,
                                            uint64_t count,
                                            WorkBuffers::Side buffers) {
  ChunkReader reader;
  reader.complex_ = IsComplex(open.view->dtype());
  reader.left_ = count;
  if (count == 0) return reader;
  const uint64_t reals = reader.complex_ ? 2 * count : count;
  constexpr TileType type = std::is_integral_v<T> ? TileType::kI64
                            : sizeof(T) == 4      ? TileType::kF32
                                                  : TileType::kF64;
  ASSIGN_OR_RETURN(reader.reader_, TileReader::Open(open, type, {0, reals},
                                                    ReadMode::kMap, buffers));
  return reader;
}

template <typename T>
Result<const T*> ChunkReader<T>::Next() {
  const auto n = static_cast<size_t>(std::min<uint64_t>(left_, kNumpyChunk));
  if (n == 0) return Padded(nullptr, 0);
  left_ -= n;
  if (complex_) return RealParts(n);
  ASSIGN_OR_RETURN(const void* tile, reader_->Next(n));
  return Padded(static_cast<const T*>(tile), n);
}

template <typename T>
Result<const T*> ChunkReader<T>::RealParts(size_t n) {
  chunk_.assign(kNumpyChunk, T{0});
  for (size_t at = 0; at < n; at += kBlock / 2) {
    const size_t part = std::min(n - at, kBlock / 2);
    ASSIGN_OR_RETURN(const void* tile, reader_->Next(2 * part));
    const T* reals = static_cast<const T*>(tile);
    for (size_t i = 0; i < part; ++i) chunk_[at + i] = reals[2 * i];
  }
  return chunk_.data();
}

template <typename T>
const T* ChunkReader<T>::Padded(const T* values, size_t n) {
  if (n == kNumpyChunk) return values;
  chunk_.assign(kNumpyChunk, T{0});
  std::copy_n(values, n, chunk_.data());
  return chunk_.data();
}

template class ChunkReader<float>;
template class ChunkReader<double>;
template class ChunkReader<int64_t>;

Result<PairChunks> PairChunks::Open(const MeasureJob& job) {
  PairChunks pair;
  ASSIGN_OR_RETURN(pair.my_, OpenView::Open(job.target));
  ASSIGN_OR_RETURN(pair.golden_, OpenView::Open(job.golden));
  pair.my_count_ = ElementCount(job.target.shape).value_or(0);
  pair.golden_count_ = ElementCount(job.golden.shape).value_or(0);
  pair.buffers_ = std::make_unique<WorkBuffers>();
  return pair;
}

}  // namespace assay
