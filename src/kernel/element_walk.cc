#include "kernel/element_walk.h"

#include <algorithm>
#include <cstring>

#include "core/shape.h"

namespace assay {
namespace {

// The widths that types have; 16 is a complex number of doubles.
struct Wide {
  uint64_t parts[2];
};

template <typename T>
void Copy(const std::byte* stored, int64_t at, int64_t stride, size_t n,
          std::byte* out) {
  const std::byte* from = stored + at * static_cast<int64_t>(sizeof(T));
  if (stride == 1) {
    std::memcpy(out, from, n * sizeof(T));
    return;
  }
  for (size_t i = 0; i < n; ++i) {
    std::memcpy(out + i * sizeof(T),
                from + static_cast<int64_t>(i * sizeof(T)) * stride, sizeof(T));
  }
}

template <typename T>
void Place(const std::byte* in, int64_t at, int64_t stride, size_t n,
           std::byte* stored) {
  std::byte* to = stored + at * static_cast<int64_t>(sizeof(T));
  for (size_t i = 0; i < n; ++i) {
    std::memcpy(to + static_cast<int64_t>(i * sizeof(T)) * stride,
                in + i * sizeof(T), sizeof(T));
  }
}

// Calls move(T{}) with a type of that many bits; false if there is none.
template <typename Move>
bool WithWidth(uint8_t bits, const Move& move) {
  switch (bits) {
    case 8:
      move(uint8_t{});
      return true;
    case 16:
      move(uint16_t{});
      return true;
    case 32:
      move(uint32_t{});
      return true;
    case 64:
      move(uint64_t{});
      return true;
    case 128:
      move(Wide{});
      return true;
    default:
      return false;
  }
}

template <size_t kBlock>
std::byte* CopyWhole(const std::byte*& from, int64_t step, size_t blocks,
                     std::byte* out) {
  for (size_t b = 0; b < blocks; ++b) {
    std::memcpy(out, from, kBlock);
    from += step;
    out += kBlock;
  }
  return out;
}

// `bytes` bytes from blocks of `block` bytes that stand `step` apart, the first
// without its first `skip` bytes.
void CopyBlocks(const std::byte* from, int64_t step, size_t block, size_t skip,
                size_t bytes, std::byte* out) {
  if (skip > 0) {
    const size_t n = std::min(bytes, block - skip);
    std::memcpy(out, from + skip, n);
    out += n;
    bytes -= n;
    from += step;
  }
  const size_t whole = bytes / block;
  if (block == 16) {
    out = CopyWhole<16>(from, step, whole, out);
  } else if (block == 32) {
    out = CopyWhole<32>(from, step, whole, out);
  } else if (block == 64) {
    out = CopyWhole<64>(from, step, whole, out);
  } else {
    for (size_t b = 0; b < whole; ++b, from += step, out += block) {
      std::memcpy(out, from, block);
    }
  }
  std::memcpy(out, from, bytes % block);
}

// Elements of less than a byte: where element i begins in its byte.
unsigned ShiftOf(uint8_t bits, uint64_t i) {
  return bits == 4 ? static_cast<unsigned>(i % 2 * 4)
                   : 7 - static_cast<unsigned>(i % 8);
}

std::byte GetPart(const std::byte* bytes, uint8_t bits, uint64_t i) {
  const auto mask = std::byte{static_cast<uint8_t>((1u << bits) - 1)};
  return (bytes[i * bits / 8] >> ShiftOf(bits, i)) & mask;
}

void SetPart(std::byte* bytes, uint8_t bits, uint64_t i, std::byte part) {
  const auto mask = std::byte{static_cast<uint8_t>((1u << bits) - 1)};
  std::byte& byte = bytes[i * bits / 8];
  byte = (byte & ~(mask << ShiftOf(bits, i))) | (part << ShiftOf(bits, i));
}

}  // namespace

ElementWalk::ElementWalk(const ElementMap& map, uint8_t bits, uint64_t first)
    : axes_(map.Merged().axes), bits_(bits) {
  Shape shape;
  for (const MapAxis& axis : axes_) shape.push_back(axis.extent);
  const bool empty = std::ranges::count(shape, 0) > 0;
  index_ = empty ? Shape(shape.size()) : Coordinates(first, shape);
  for (size_t k = 0; k < axes_.size(); ++k) {
    offset_.push_back(empty ? 0 : axes_[k].At(index_[k]));
    if (k + 1 < axes_.size()) base_ += offset_[k];
  }
}

ElementWalk::Run ElementWalk::Next(size_t most) {
  const MapAxis& axis = axes_.back();
  const int64_t i = index_.back();
  Run run{.at = base_ + offset_.back(), .stride = axis.stride, .n = 1};
  if (axis.table.empty()) {
    const int64_t in_block = axis.inner - i % axis.inner;
    const int64_t left = std::min(in_block, axis.extent - i);
    run.n = std::min(most, static_cast<size_t>(left));
  }
  Pass(run.n);
  return run;
}

void ElementWalk::Pass(size_t n) {
  size_t k = axes_.size() - 1;
  index_[k] += static_cast<int64_t>(n);
  if (index_[k] < axes_[k].extent) {
    offset_[k] = axes_[k].At(index_[k]);
    return;
  }
  index_[k] = 0;
  offset_[k] = axes_[k].At(0);
  while (k-- > 0) {
    base_ -= offset_[k];
    if (++index_[k] >= axes_[k].extent) index_[k] = 0;
    offset_[k] = axes_[k].At(index_[k]);
    base_ += offset_[k];
    if (index_[k] != 0) return;
  }
}

// Rows of a fractal layout: short blocks, far apart.
size_t ElementWalk::GatherBlocks(const std::byte* stored, size_t most,
                                 std::byte* out) {
  const MapAxis& axis = axes_.back();
  const size_t width = bits_ / 8;
  const size_t block = static_cast<size_t>(axis.inner) * width;
  const int64_t i = index_.back(), inside = i % axis.inner;
  const size_t n = std::min(most, static_cast<size_t>(axis.extent - i));
  const std::byte* from =
      stored + (base_ + i / axis.inner * axis.outer_stride) *
                   static_cast<int64_t>(width);
  const size_t skip = static_cast<size_t>(inside) * width;
  CopyBlocks(from, axis.outer_stride * static_cast<int64_t>(width), block, skip,
             n * width, out);
  Pass(n);
  return n;
}

void ElementWalk::Gather(const std::byte* stored, size_t n, std::byte* out) {
  const MapAxis& last = axes_.back();
  const bool blocks = last.table.empty() && last.stride == 1 &&
                      last.inner < last.extent && bits_ >= 8;
  for (size_t done = 0; done < n;) {
    if (blocks) {
      done += GatherBlocks(stored, n - done, out + done * bits_ / 8);
      continue;
    }
    const Run run = Next(n - done);
    const bool whole = WithWidth(bits_, [&](auto element) {
      using T = decltype(element);
      Copy<T>(stored, run.at, run.stride, run.n, out + done * sizeof(T));
    });
    for (size_t i = 0; !whole && i < run.n; ++i) {
      SetPart(out, bits_, done + i, GetPart(stored, bits_, run.At(i)));
    }
    done += run.n;
  }
}

void ElementWalk::Scatter(const std::byte* in, size_t n, std::byte* stored) {
  for (size_t done = 0; done < n;) {
    const Run run = Next(n - done);
    const bool whole = WithWidth(bits_, [&](auto element) {
      using T = decltype(element);
      Place<T>(in + done * sizeof(T), run.at, run.stride, run.n, stored);
    });
    for (size_t i = 0; !whole && i < run.n; ++i) {
      SetPart(stored, bits_, run.At(i), GetPart(in, bits_, done + i));
    }
    done += run.n;
  }
}

}  // namespace assay
