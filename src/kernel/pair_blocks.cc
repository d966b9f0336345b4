#include "kernel/pair_blocks.h"

#include <algorithm>

#include "kernel/reduce.h"

namespace assay {
namespace {

uint8_t RealBits(DType dtype) { return Info(Info(dtype).part).bits; }

// Bytes before real `n`; blocks start at whole bytes.
uint64_t BytesBefore(uint64_t n, uint8_t bits) {
  return bits >= 8 ? n * (bits / 8) : (n * bits + 7) / 8;
}

}  // namespace

uint64_t RealCount(DType dtype, const Shape& shape) {
  const uint64_t count = ElementCount(shape).value_or(0);
  return IsComplex(dtype) ? 2 * count : count;
}

Result<TileReader> TileReader::Open(const OpenView& open, TileType type,
                                    BlockRange reals, ReadMode mode,
                                    WorkBuffers::Side buffers) {
  TileReader reader;
  const StoredView& view = *open.view;
  reader.bits_ = RealBits(view.dtype());
  reader.width_ = TileWidth(type);
  reader.type_ = type;
  reader.dequantiser_ = Dequantiser(view, reals.begin);
  reader.decoder_ = FindDecoder(view.dtype(), type, view.big_endian());
  reader.tile_ = buffers.tile;
  const BlockRange bytes = {BytesBefore(reals.begin, reader.bits_),
                            BytesBefore(reals.end, reader.bits_)};
  ASSIGN_OR_RETURN(reader.blocks_, OpenBlocks(open, bytes, mode, buffers.read));
  return reader;
}

Result<const void*> TileReader::Next(size_t n) {
  ASSIGN_OR_RETURN(const std::byte* bytes,
                   blocks_->Next(BytesBefore(n, bits_)));
  const bool aligned = reinterpret_cast<uintptr_t>(bytes) % width_ == 0;
  if (decoder_ == nullptr && aligned) return bytes;
  if (decoder_ == nullptr) {
    std::copy_n(bytes, n * width_, tile_.data());
  } else {
    decoder_(bytes, n, tile_.data());
  }
  dequantiser_.Apply(type_, tile_.data(), n);
  return tile_.data();
}

Result<PairBlocks> PairBlocks::Open(const OpenView& golden,
                                    const OpenView& target, BlockRange reals,
                                    ReadMode mode, const WorkBuffers& buffers) {
  const TileType type = ChooseTile(golden.view->dtype(), target.view->dtype());
  ASSIGN_OR_RETURN(TileReader g, TileReader::Open(golden, type, reals, mode,
                                                  buffers.golden()));
  ASSIGN_OR_RETURN(TileReader t, TileReader::Open(target, type, reals, mode,
                                                  buffers.target()));
  return PairBlocks(std::move(g), std::move(t), type, reals);
}

Result<TilePair> PairBlocks::Next() {
  TilePair tile = {.type = type_, .base = at_};
  tile.n = static_cast<size_t>(std::min<uint64_t>(kBlock, end_ - at_));
  if (tile.n == 0) {
    RETURN_IF_ERROR(golden_.Finish());
    RETURN_IF_ERROR(target_.Finish());
    return tile;
  }
  ASSIGN_OR_RETURN(tile.golden, golden_.Next(tile.n));
  ASSIGN_OR_RETURN(tile.target, target_.Next(tile.n));
  at_ += tile.n;
  return tile;
}

}  // namespace assay
