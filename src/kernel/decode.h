#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dtype.h"

namespace assay {

// What a tile holds: the three reduce kernels take nothing else.
enum class TileType : uint8_t { kF32, kF64, kI64 };

inline constexpr size_t TileWidth(TileType type) {
  return type == TileType::kF32 ? 4 : 8;
}

// The tile that keeps every digit of both types: float32 if it holds both
// exactly, 64-bit integers if both are integers, else double.
TileType ChooseTile(DType golden, DType target);

// Turns `n` stored elements (parts of complex numbers count as elements) into
// a tile. The first element starts at a whole byte.
using Decoder = void (*)(const std::byte* in, size_t n, void* tile);

// Null when the stored bytes are the tile already.
Decoder FindDecoder(DType type, TileType tile, bool big_endian);

}  // namespace assay
