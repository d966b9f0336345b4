#pragma once

#include <cstdint>

namespace assay {

// A value that keeps 64-bit integers exact. The kind travels beside it where
// many share one (PairStats) and inside it where one stands alone (Number).
enum class NumberKind : uint8_t { kReal, kSigned, kUnsigned };

union RawNumber {
  double real;
  int64_t sint;
  uint64_t uint;
};

struct Number {
  RawNumber raw{.real = 0};
  NumberKind kind = NumberKind::kReal;

  Number() = default;
  Number(double value) : raw{.real = value} {}  // NOLINT: a real is a number
  Number(RawNumber value, NumberKind k) : raw(value), kind(k) {}

  double AsDouble() const {
    switch (kind) {
      case NumberKind::kSigned:
        return static_cast<double>(raw.sint);
      case NumberKind::kUnsigned:
        return static_cast<double>(raw.uint);
      case NumberKind::kReal:
        break;
    }
    return raw.real;
  }
};

inline bool Less(RawNumber a, RawNumber b, NumberKind kind) {
  switch (kind) {
    case NumberKind::kSigned:
      return a.sint < b.sint;
    case NumberKind::kUnsigned:
      return a.uint < b.uint;
    case NumberKind::kReal:
      break;
  }
  return a.real < b.real;
}

// a - b, rounded once: whole numbers keep their digits until then.
inline double Difference(const Number& a, const Number& b) {
  if (a.kind == NumberKind::kReal || b.kind == NumberKind::kReal) {
    return a.AsDouble() - b.AsDouble();
  }
  const auto exact = [](const Number& x) -> __int128 {
    if (x.kind == NumberKind::kUnsigned) return x.raw.uint;
    return x.raw.sint;
  };
  return static_cast<double>(exact(a) - exact(b));
}

}  // namespace assay
