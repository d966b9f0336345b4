#include "legacy/numpy_errors.h"

#include <algorithm>
#include <cmath>

#include "legacy/numpy.h"

namespace assay {
namespace {

bool IsWhole(DType type) {
  const DKind kind = Info(type).kind;
  return kind == DKind::kInteger || kind == DKind::kBool;
}

// Of the floats, those without a NumPy type are widened.
int FloatBits(DType type) {
  switch (type) {
    case DType::kF16:
      return 16;
    case DType::kF32:
    case DType::kBF16:
    case DType::kC64:
    case DType::kC32:
      return 32;
    default:
      return 64;
  }
}

// The float that holds every number of the type.
int BitsAsFloat(DType type) {
  if (!IsWhole(type)) return FloatBits(type);
  const int bits = std::max<int>(8, Info(type).bits);
  return bits <= 8 ? 16 : bits == 16 ? 32 : 64;
}

int WholeBits(DType type) { return std::max<int>(8, Info(type).bits); }

}  // namespace

NumpyErrors::NumpyErrors(DType my, DType golden) {
  integer_ = IsWhole(my) && IsWhole(golden);
  bits_ = std::max(BitsAsFloat(my), BitsAsFloat(golden));
  if (!integer_) return;
  const bool u = Info(my).is_unsigned, v = Info(golden).is_unsigned;
  const int a = WholeBits(my), b = WholeBits(golden);
  unsigned_ = u && v;
  bits_ = std::max(a, b);
  if (u == v) return;
  bits_ = std::max(bits_, 2 * (u ? a : b));  // room for the sign
  if (bits_ > 64) {
    integer_ = false;
    bits_ = 64;
  }
}

double NumpyErrors::Rounded(double value) const {
  if (bits_ == 64) return value;
  const auto single = static_cast<float>(value);
  return bits_ == 16 ? ToHalf(single) : single;
}

double NumpyErrors::Absolute(double my, double golden) const {
  if (integer_) {  // small integers come as floats
    return Absolute(static_cast<int64_t>(my), static_cast<int64_t>(golden));
  }
  return std::fabs(Rounded(my - golden));
}

double NumpyErrors::Absolute(int64_t my, int64_t golden) const {
  if (!integer_) {
    return Absolute(static_cast<double>(my), static_cast<double>(golden));
  }
  const uint64_t wrapped =
      static_cast<uint64_t>(my) - static_cast<uint64_t>(golden);
  const int unused = 64 - bits_;
  if (unsigned_) return static_cast<double>(wrapped << unused >> unused);
  const int64_t value = static_cast<int64_t>(wrapped << unused) >> unused;
  // The smallest number has no counterpart and stays what it is.
  return static_cast<double>(
      value < 0 && wrapped << unused != uint64_t{1} << 63 ? -value : value);
}

double NumpyErrors::Relative(double absolute, double golden) const {
  const double relative = absolute / std::fabs(golden);
  return integer_ ? relative : Rounded(relative);
}

}  // namespace assay
