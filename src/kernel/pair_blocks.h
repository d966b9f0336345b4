#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/input_file.h"
#include "base/result.h"
#include "core/tensor.h"
#include "kernel/block_source.h"
#include "kernel/decode.h"
#include "kernel/dequantise.h"
#include "kernel/work_buffers.h"

namespace assay {

// Elements per chunk, the unit of parallel work: whole blocks.
inline constexpr uint64_t kChunk = uint64_t{1} << 22;

// Numbers to compare in a tensor or view: complex elements count as two.
uint64_t RealCount(DType dtype, const Shape& shape);
inline uint64_t RealCount(const StoredTensor& tensor) {
  return RealCount(tensor.dtype, tensor.shape);
}
inline uint64_t RealCount(const StoredView& view) {
  return RealCount(view.dtype(), view.shape);
}

// One side, block by block, as tiles.
class TileReader {
 public:
  // Reals [begin, end); a view that is not seekable must begin at 0.
  static Result<TileReader> Open(const OpenView& open, TileType type,
                                 BlockRange reals, ReadMode mode,
                                 WorkBuffers::Side buffers);

  // The next `n` reals; all calls but the last ask for kBlock of them.
  Result<const void*> Next(size_t n);
  Status Finish() { return blocks_->Finish(); }

 private:
  std::unique_ptr<BlockSource> blocks_;
  Decoder decoder_ = nullptr;
  uint8_t bits_ = 0;  // of one stored real
  size_t width_ = 0;  // of one decoded real
  Dequantiser dequantiser_;
  TileType type_ = TileType::kF32;
  std::span<std::byte> tile_;
};

// One block of both sides.
struct TilePair {
  TileType type = TileType::kF32;
  const void* golden = nullptr;
  const void* target = nullptr;
  size_t n = 0;
  uint64_t base = 0;  // index of the first real

  template <typename T>
  const T* Golden() const {
    return static_cast<const T*>(golden);
  }
  template <typename T>
  const T* Target() const {
    return static_cast<const T*>(target);
  }
};

// Both sides of a pair, block by block, in step.
class PairBlocks {
 public:
  static Result<PairBlocks> Open(const OpenView& golden, const OpenView& target,
                                 BlockRange reals, ReadMode mode,
                                 const WorkBuffers& buffers);

  // The next block; n = 0 after the last, when both sides were found whole.
  Result<TilePair> Next();

 private:
  PairBlocks(TileReader golden, TileReader target, TileType type,
             BlockRange reals)
      : golden_(std::move(golden)),
        target_(std::move(target)),
        type_(type),
        at_(reals.begin),
        end_(reals.end) {}

  TileReader golden_, target_;
  TileType type_;
  uint64_t at_, end_;
};

}  // namespace assay
