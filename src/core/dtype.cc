#include "core/dtype.h"

#include <cstddef>

namespace assay {
namespace {

using enum DType;

constexpr DTypeInfo Float(DType t, std::string_view name, uint8_t bits,
                          double roundoff, double tiny) {
  return {t, name, DKind::kFloat, bits, false, t, roundoff, tiny};
}
constexpr DTypeInfo Integer(DType t, std::string_view name, uint8_t bits,
                            bool is_unsigned) {
  return {t, name, DKind::kInteger, bits, is_unsigned, t, 0, 0};
}
constexpr DTypeInfo Complex(DType t, std::string_view name, uint8_t bits,
                            DType part) {
  return {t, name, DKind::kComplex, bits, false, part, 0, 0};
}

// In the order of the enumeration.
constexpr DTypeInfo kTypes[] = {
    Float(kF64, "f64", 64, 0x1p-53, 0x1p-1074),
    Float(kF32, "f32", 32, 0x1p-24, 0x1p-149),
    Float(kF16, "f16", 16, 0x1p-11, 0x1p-24),
    Float(kBF16, "bf16", 16, 0x1p-8, 0x1p-133),
    Float(kF8E4M3, "f8e4m3", 8, 0x1p-4, 0x1p-9),
    Float(kF8E5M2, "f8e5m2", 8, 0x1p-3, 0x1p-16),
    Float(kF8E8M0, "f8e8m0", 8, 0x1p-1, 0x1p-127),
    Float(kHiF8, "hif8", 8, 0x1p-2, 0x1p-22),
    Integer(kI64, "i64", 64, false),
    Integer(kI32, "i32", 32, false),
    Integer(kI16, "i16", 16, false),
    Integer(kI8, "i8", 8, false),
    Integer(kI4, "i4", 4, false),
    Integer(kU64, "u64", 64, true),
    Integer(kU32, "u32", 32, true),
    Integer(kU16, "u16", 16, true),
    Integer(kU8, "u8", 8, true),
    Integer(kU1, "u1", 1, true),
    {kBool, "bool", DKind::kBool, 8, true, kBool, 0, 0},
    Complex(kC64, "c64", 64, kF32),
    Complex(kC128, "c128", 128, kF64),
    Complex(kC32, "c32", 32, kF16),
    {kOpaque, "opaque", DKind::kOpaque, 0, false, kOpaque, 0, 0},
};

constexpr bool InOrder() {
  for (size_t i = 0; i < std::size(kTypes); ++i) {
    if (static_cast<size_t>(kTypes[i].type) != i) return false;
  }
  return true;
}
static_assert(InOrder());

}  // namespace

const DTypeInfo& Info(DType type) { return kTypes[static_cast<size_t>(type)]; }

std::span<const DTypeInfo> AllDTypes() { return kTypes; }

std::optional<DType> ParseDType(std::string_view name) {
  for (const DTypeInfo& info : kTypes) {
    if (info.name == name && info.type != DType::kOpaque) return info.type;
  }
  return std::nullopt;
}

}  // namespace assay
