#include "legacy/chunks.h"

#include <algorithm>

#include "kernel/gather_blocks.h"
#include "legacy/numpy.h"

namespace assay {

static_assert(kNumpyChunk == kBlock, "a tile is a chunk");

namespace {

constexpr uint64_t kSmallBytes = 256 << 10;
// More than this is mapped piece by piece.
constexpr uint64_t kWholeBytes = 512 << 20;

bool IsPlainFloat32(const StoredView& view) {
  return view.dtype() == DType::kF32 && !view.big_endian() && !view.map &&
         !view.grid && IsSeekable(view) &&
         view.parts.front().tensor->extent.offset % sizeof(float) == 0;
}

}  // namespace

Result<ChunkSide> ChunkSide::Open(const StoredView& view) {
  ChunkSide side;
  ASSIGN_OR_RETURN(side.open, OpenView::Open(view));
  side.count = ElementCount(view.shape).value_or(0);
  const uint64_t bytes = side.count * sizeof(float);
  if (bytes == 0 || bytes > kWholeBytes || !IsPlainFloat32(view)) return side;
  const InputFile& file = side.open.files.front();
  const uint64_t offset = view.parts.front().tensor->extent.offset;
  if (bytes <= kSmallBytes) {
    side.small.resize(side.count);
    RETURN_IF_ERROR(
        file.ReadAt(offset, std::as_writable_bytes(std::span(side.small))));
  } else {
    ASSIGN_OR_RETURN(side.mapped, MappedWindow::Map(file, offset, bytes));
  }
  return side;
}

const float* ChunkSide::Whole() const {
  if (mapped) return reinterpret_cast<const float*>(mapped->data());
  return small.empty() ? nullptr : small.data();
}

template <typename T>
Result<ChunkReader<T>> ChunkReader<T>::Open(const ChunkSide& side,
                                            BlockRange range,
                                            WorkBuffers::Side buffers) {
  const OpenView& open = side.open;
  range.end = std::min(range.end, side.count);
  ChunkReader reader;
  reader.side_ = &side;
  reader.complex_ = IsComplex(open.view->dtype());
  if (range.begin >= range.end) return reader;
  reader.left_ = range.end - range.begin;
  if constexpr (std::is_same_v<T, float>) {
    if (const float* whole = side.Whole(); whole != nullptr) {
      reader.whole_ = whole + range.begin;
      return reader;
    }
  }
  const uint64_t reals = reader.complex_ ? 2 : 1;
  constexpr TileType type = std::is_integral_v<T> ? TileType::kI64
                            : sizeof(T) == 4      ? TileType::kF32
                                                  : TileType::kF64;
  ASSIGN_OR_RETURN(
      reader.reader_,
      TileReader::Open(open, type, {reals * range.begin, reals * range.end},
                       ReadMode::kMap, buffers));
  return reader;
}

template <typename T>
Result<const T*> ChunkReader<T>::Next(size_t wanted) {
  const auto n = static_cast<size_t>(std::min<uint64_t>(left_, wanted));
  if (n == 0) return Padded(nullptr, 0, wanted);
  left_ -= n;
  if (whole_ != nullptr) {
    const T* chunk = whole_;
    whole_ += n;
    return Padded(chunk, n, wanted);
  }
  if (complex_) return RealParts(n);
  ASSIGN_OR_RETURN(const void* tile, reader_->Next(n));
  return Padded(static_cast<const T*>(tile), n, wanted);
}

template <typename T>
Status ChunkReader<T>::Finish() {
  if (whole_ != nullptr && side_->mapped && !side_->mapped->intact()) {
    const InputFile& file = side_->open.files.front();
    return ShrankWhileRead(file.path(), 0);
  }
  return reader_ && left_ == 0 ? reader_->Finish() : Done{};
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
const T* ChunkReader<T>::Padded(const T* values, size_t n, size_t wanted) {
  if (n == wanted) return values;
  chunk_.assign(kNumpyChunk, T{0});
  std::copy_n(values, n, chunk_.data());
  return chunk_.data();
}

template class ChunkReader<float>;
template class ChunkReader<double>;
template class ChunkReader<int64_t>;

Result<PairChunks> PairChunks::Open(const MeasureJob& job) {
  PairChunks pair;
  ASSIGN_OR_RETURN(pair.my_, ChunkSide::Open(job.target));
  ASSIGN_OR_RETURN(pair.golden_, ChunkSide::Open(job.golden));
  pair.buffers_ = std::make_unique<WorkerBuffers>(1);
  pair.seekable_ = IsSeekable(job.target) && IsSeekable(job.golden);
  return pair;
}

}  // namespace assay
