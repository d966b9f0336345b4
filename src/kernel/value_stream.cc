#include "kernel/value_stream.h"

#include <algorithm>

#include "kernel/reduce.h"

namespace assay {
namespace {

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
  ASSIGN_OR_RETURN(stream.blocks_,
                   OpenBlocks(open, {0, bytes.value_or(0)}, ReadMode::kRead,
                              buffers.golden().read));
  return stream;
}

Result<bool> ValueStream::Next(std::string& out) {
  const auto n = static_cast<size_t>(std::min<uint64_t>(left_, kBlock));
  if (n == 0) {
    RETURN_IF_ERROR(blocks_->Finish());
    return false;
  }
  RETURN_IF_ERROR(from_ == to_ ? AppendStored(n, out) : AppendWidened(n, out));
  left_ -= n;
  return true;
}

Status ValueStream::AppendStored(size_t n, std::string& out) {
  const size_t bytes = *ByteCount(Info(from_).part, n);
  ASSIGN_OR_RETURN(const std::byte* block, blocks_->Next(bytes));
  const size_t at = out.size();
  out.append(reinterpret_cast<const char*>(block), bytes);
  if (big_endian_) SwapBytes(out.data() + at, n, RealBits(from_) / 8);
  return Done{};
}

Status ValueStream::AppendWidened(size_t n, std::string& out) {
  ASSIGN_OR_RETURN(const std::byte* block,
                   blocks_->Next(*ByteCount(Info(from_).part, n)));
  decoder_(block, n, tile_.data());
  const auto* values = reinterpret_cast<const float*>(tile_.data());
  if (RealBits(to_) == 32) {
    out.append(reinterpret_cast<const char*>(values), n * sizeof(float));
    return Done{};
  }
  if (RealBits(to_) == 64) {
    for (size_t i = 0; i < n; ++i) AppendDouble(values[i], out);
    return Done{};
  }
  for (size_t i = 0; i < n; ++i) {
    out += static_cast<char>(static_cast<int>(values[i]));  // i4, u1
  }
  return Done{};
}

}  // namespace assay
