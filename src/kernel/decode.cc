#include "kernel/decode.h"

#include <bit>
#include <cstring>

#include "kernel/small_float.h"
#include "kernel/widen.h"

namespace assay {
namespace {

// Element i of packed bytes as an unsigned integer of its own width.
template <typename Bits, bool kSwap>
Bits Load(const std::byte* in, size_t i) {
  Bits bits;
  std::memcpy(&bits, in + i * sizeof(Bits), sizeof(Bits));
  if constexpr (kSwap && sizeof(Bits) == 2) bits = __builtin_bswap16(bits);
  if constexpr (kSwap && sizeof(Bits) == 4) bits = __builtin_bswap32(bits);
  if constexpr (kSwap && sizeof(Bits) == 8) bits = __builtin_bswap64(bits);
  return bits;
}

float HalfToFloat(uint16_t half) {
  // The exponent is rebiased by an exact multiplication, which also turns
  // float16 subnormals into normal numbers.
  const uint32_t magnitude = half & 0x7fffu;
  float value = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  if (magnitude >= 0x7c00) {
    value = std::bit_cast<float>(0x7f800000u | magnitude << 13);
  }
  return half & 0x8000 ? -value : value;
}

constexpr ByteTable kE4M3 = MakeTable(F8E4M3), kE5M2 = MakeTable(F8E5M2),
                    kE8M0 = MakeTable(F8E8M0), kHi = MakeTable(HiF8);

// Get<type, swap>(in, i): the value of stored element i.
template <DType kType, bool kSwap>
auto Get(const std::byte* in, size_t i) {
  using enum DType;
  const auto byte = [&](size_t at) { return std::to_integer<uint8_t>(in[at]); };
  if constexpr (kType == kF64)
    return std::bit_cast<double>(Load<uint64_t, kSwap>(in, i));
  if constexpr (kType == kF32)
    return std::bit_cast<float>(Load<uint32_t, kSwap>(in, i));
  if constexpr (kType == kF16) return HalfToFloat(Load<uint16_t, kSwap>(in, i));
  if constexpr (kType == kBF16) {
    return std::bit_cast<float>(uint32_t{Load<uint16_t, kSwap>(in, i)} << 16);
  }
  if constexpr (kType == kF8E4M3) return kE4M3[byte(i)];
  if constexpr (kType == kF8E5M2) return kE5M2[byte(i)];
  if constexpr (kType == kF8E8M0) return kE8M0[byte(i)];
  if constexpr (kType == kHiF8) return kHi[byte(i)];
  if constexpr (kType == kI64)
    return static_cast<int64_t>(Load<uint64_t, kSwap>(in, i));
  if constexpr (kType == kI32)
    return static_cast<int32_t>(Load<uint32_t, kSwap>(in, i));
  if constexpr (kType == kI16)
    return static_cast<int16_t>(Load<uint16_t, kSwap>(in, i));
  if constexpr (kType == kI8) return static_cast<int8_t>(byte(i));
  if constexpr (kType == kI4) {  // low nibble first
    const int nibble = byte(i / 2) >> (i % 2 * 4) & 15;
    return static_cast<int8_t>(nibble >= 8 ? nibble - 16 : nibble);
  }
  if constexpr (kType == kU64) return Load<uint64_t, kSwap>(in, i);
  if constexpr (kType == kU32) return Load<uint32_t, kSwap>(in, i);
  if constexpr (kType == kU16) return Load<uint16_t, kSwap>(in, i);
  if constexpr (kType == kU8) return byte(i);
  if constexpr (kType == kU1) {  // high bit first
    return static_cast<uint8_t>(byte(i / 8) >> (7 - i % 8) & 1);
  }
  if constexpr (kType == kBool) return static_cast<uint8_t>(byte(i) != 0);
}

template <DType kType, bool kSwap, typename T>
void Decode(const std::byte* in, size_t n, void* tile) {
  T* out = static_cast<T*>(tile);
  for (size_t i = 0; i < n; ++i)
    out[i] = static_cast<T>(Get<kType, kSwap>(in, i));
}

void WidenHalves(const std::byte* in, size_t n, void* tile) {
  WidenF16(reinterpret_cast<const uint16_t*>(in), n, static_cast<float*>(tile));
}

template <DType kType, bool kSwap>
Decoder Pick(TileType tile) {
  switch (tile) {
    case TileType::kF32:
      if (kType == DType::kF32 && !kSwap) return nullptr;
      if (kType == DType::kF16 && !kSwap) return WidenHalves;
      return Decode<kType, kSwap, float>;
    case TileType::kF64:
      if (kType == DType::kF64 && !kSwap) return nullptr;
      return Decode<kType, kSwap, double>;
    case TileType::kI64:
      break;
  }
  if ((kType == DType::kI64 || kType == DType::kU64) && !kSwap) return nullptr;
  return Decode<kType, kSwap, int64_t>;
}

template <DType kType>
Decoder Pick(TileType tile, bool swap) {
  return swap ? Pick<kType, true>(tile) : Pick<kType, false>(tile);
}

bool FitsFloat(const DTypeInfo& info) {
  return info.bits <= 16 || info.type == DType::kF32;
}
bool IsWhole(const DTypeInfo& info) {
  return info.kind == DKind::kInteger || info.kind == DKind::kBool;
}

}  // namespace

TileType ChooseTile(DType golden, DType target) {
  const DTypeInfo& g = Info(Info(golden).part);
  const DTypeInfo& t = Info(Info(target).part);
  if (FitsFloat(g) && FitsFloat(t)) return TileType::kF32;
  const bool wide = g.bits == 64 || t.bits == 64;
  return IsWhole(g) && IsWhole(t) && wide ? TileType::kI64 : TileType::kF64;
}

Decoder FindDecoder(DType type, TileType tile, bool big_endian) {
  using enum DType;
  switch (Info(type).part) {
#define ASSAY_CASE(kType) \
  case kType:             \
    return Pick<kType>(tile, big_endian);
    // clang-format off
    ASSAY_CASE(kF64) ASSAY_CASE(kF32) ASSAY_CASE(kF16) ASSAY_CASE(kBF16)
    ASSAY_CASE(kF8E4M3) ASSAY_CASE(kF8E5M2) ASSAY_CASE(kF8E8M0)
    ASSAY_CASE(kHiF8)
    ASSAY_CASE(kI64) ASSAY_CASE(kI32) ASSAY_CASE(kI16) ASSAY_CASE(kI8)
    ASSAY_CASE(kI4)
    ASSAY_CASE(kU64) ASSAY_CASE(kU32) ASSAY_CASE(kU16) ASSAY_CASE(kU8)
    ASSAY_CASE(kU1)
    ASSAY_CASE(kBool)
    // clang-format on
#undef ASSAY_CASE
                            default
        : return nullptr;  // complex types have parts; opaque is never decoded
  }
}

}  // namespace assay
