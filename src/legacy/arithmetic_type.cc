#include "legacy/arithmetic_type.h"

#include <algorithm>

namespace assay {
namespace {

// The smallest float that NumPy takes for all values of an integer type.
int FloatBits(ArithmeticType type) {
  if (type.kind == ArithmeticType::kBool || type.bits == 8) return 16;
  return type.bits == 16 ? 32 : 64;
}

ArithmeticType Integers(ArithmeticType a, ArithmeticType b) {
  if (a.is_unsigned == b.is_unsigned) return a.bits >= b.bits ? a : b;
  if (a.is_unsigned) std::swap(a, b);  // a is signed
  if (b.bits == 64) return {ArithmeticType::kFloat, 64};
  return {ArithmeticType::kInteger, std::max(a.bits, 2 * b.bits)};
}

}  // namespace

ArithmeticType ArithmeticTypeOf(DType type) {
  const DTypeInfo& info = Info(type);
  switch (info.kind) {
    case DKind::kBool:
      return {ArithmeticType::kBool, 8, true};
    case DKind::kInteger:
      return {ArithmeticType::kInteger, std::max<int>(info.bits, 8),
              info.is_unsigned};
    case DKind::kComplex:
      return {ArithmeticType::kComplex, info.bits};
    default:
      break;
  }
  // Types that NumPy lacks are read as those that hold them.
  if (type == DType::kF16) return {ArithmeticType::kFloat, 16};
  return {ArithmeticType::kFloat, type == DType::kF64 ? 64 : 32};
}

ArithmeticType Promoted(ArithmeticType a, ArithmeticType b) {
  if (a.kind > b.kind) std::swap(a, b);
  if (a.kind == b.kind) {
    if (a.kind == ArithmeticType::kInteger) return Integers(a, b);
    return a.bits >= b.bits ? a : b;
  }
  if (b.kind == ArithmeticType::kInteger) return b;  // with bool
  if (b.kind == ArithmeticType::kFloat) {
    return {ArithmeticType::kFloat, std::max(FloatBits(a), b.bits)};
  }
  return b;
}

int64_t Wrapped(uint64_t bits, ArithmeticType type) {
  const int shift = 64 - type.bits;
  if (type.is_unsigned) return static_cast<int64_t>(bits << shift >> shift);
  return static_cast<int64_t>(bits << shift) >> shift;
}

int64_t WrappedAbs(int64_t x, ArithmeticType type) {
  if (type.is_unsigned || x >= 0) return x;
  return Wrapped(uint64_t{0} - static_cast<uint64_t>(x), type);
}

}  // namespace assay
