#pragma once

#include <cstdint>
#include <optional>

#include "core/dtype.h"

namespace assay {

// The type that NumPy computes in when two arrays meet.
struct ArithmeticType {
  enum Kind : uint8_t { kBool, kInteger, kFloat, kComplex } kind = kFloat;
  int bits = 32;
  bool is_unsigned = false;

  bool operator==(const ArithmeticType&) const = default;
};

ArithmeticType ArithmeticTypeOf(DType type);
// numpy.promote_types
ArithmeticType Promoted(ArithmeticType a, ArithmeticType b);

// Integers of a type wrap around; 64 bits hold any of them.
int64_t Wrapped(uint64_t bits, ArithmeticType type);
int64_t WrappedAbs(int64_t x, ArithmeticType type);

}  // namespace assay
