#include "kernel/value_stream.h"

#include <algorithm>

#include "kernel/reduce.h"

namespace assay {
namespace {

// Large pieces make few system calls, and large pages in the cache.
constexpr size_t kPiece = 256 << 10;
// From this size on a mapping saves more than it costs.
constexpr uint64_t kMapped = 256 << 10;

uint8_t RealBits(DType type) { return Info(Info(type).part).bits; }

void SwapBytes(char* data, size_t n, size_t width) {
  for (size_t i = 0; i < n; ++i) {
    std::reverse(data + i * width, data + (i + 1) * width);
  }
}

void AppendDouble(double value, std::string& out) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

DType Widened(DType type) {
  using enum DType;
  switch (type) {
    case kBF16:
      return kF32;
    case kF8E4M3:
    case kF8E5M2:
    case kF8E8M0:
    case kHiF8:
      return kF64;  // as the dump tools write them
    case kI4:
      return kI8;
    case kU1:
      return kU8;
    case kC32:
      return kC64;
    default:
      return type;
  }
}

Result<ValueStream> ValueStream::Open(const OpenView& open, DType to,
                                      const WorkBuffers& buffers) {
  ValueStream stream;
  const StoredView& view = *open.view;
  stream.from_ = view.dtype();
  stream.to_ = to;
  stream.big_endian_ = view.big_endian();
  stream.left_ = RealCount(view);
  stream.tile_ = buffers.golden().tile;
  stream.decoder_ =
      FindDecoder(view.dtype(), TileType::kF32, view.big_endian());
  const auto bytes = ByteCount(Info(view.dtype()).part, stream.left_);
  const ReadMode mode =
      bytes.value_or(0) < kMapped ? ReadMode::kRead : ReadMode::kMap;
  ASSIGN_OR_RETURN(stream.blocks_, OpenBlocks(open, {0, bytes.value_or(0)},
                                              mode, buffers.golden().read));
  return stream;
}

Result<std::string_view> ValueStream::Next() {
  if (left_ == 0) {
    RETURN_IF_ERROR(blocks_->Finish());
    return std::string_view();
  }
  return from_ == to_ ? Stored() : Widen();
}

Result<std::string_view> ValueStream::Stored() {
  const uint64_t most = blocks_->AtOnce() * 8 / RealBits(from_);
  const auto n = static_cast<size_t>(std::min(left_, most));
  const size_t bytes = *ByteCount(Info(from_).part, n);
  ASSIGN_OR_RETURN(const std::byte* block, blocks_->Next(bytes));
  left_ -= n;
  const std::string_view view(reinterpret_cast<const char*>(block), bytes);
  if (!big_endian_) return view;
  piece_ = view;
  SwapBytes(piece_.data(), n, RealBits(from_) / 8);
  return piece_;
}

Result<std::string_view> ValueStream::Widen() {
  piece_.clear();
  while (left_ > 0 && piece_.size() < kPiece) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(left_, kBlock));
    ASSIGN_OR_RETURN(const std::byte* block,
                     blocks_->Next(*ByteCount(Info(from_).part, n)));
    decoder_(block, n, tile_.data());
    Append(reinterpret_cast<const float*>(tile_.data()), n);
    left_ -= n;
  }
  return piece_;
}

void ValueStream::Append(const float* values, size_t n) {
  if (RealBits(to_) == 32) {
    piece_.append(reinterpret_cast<const char*>(values), n * sizeof(float));
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    if (RealBits(to_) == 64) {
      AppendDouble(values[i], piece_);
    } else {
      piece_ += static_cast<char>(static_cast<int>(values[i]));  // i4, u1
    }
  }
}

}  // namespace assay
