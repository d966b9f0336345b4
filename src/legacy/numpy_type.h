#pragma once

#include <cstdint>
#include <optional>

#include "core/dtype.h"

namespace assay {

// The type that NumPy computes in when two arrays meet.
struct NumpyType {
  enum Kind : uint8_t { kBool, kInteger, kFloat, kComplex } kind = kFloat;
  int bits = 32;
  bool is_unsigned = false;

  bool operator==(const NumpyType&) const = default;
};

NumpyType NumpyTypeOf(DType type);
// numpy.promote_types
NumpyType Promoted(NumpyType a, NumpyType b);

// Integers of a type wrap around; 64 bits hold any of them.
int64_t Wrapped(uint64_t bits, NumpyType type);
int64_t WrappedAbs(int64_t x, NumpyType type);

}  // namespace assay
