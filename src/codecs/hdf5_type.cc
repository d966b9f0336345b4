#include "codecs/hdf5_type.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace assay {
namespace {

struct FloatBits {
  size_t exponent, mantissa, bias;
  DType dtype;

  size_t bits() const { return 1 + exponent + mantissa; }
};
constexpr FloatBits kFloats[] = {
    {11, 52, 1023, DType::kF64}, {8, 23, 127, DType::kF32},
    {5, 10, 15, DType::kF16},    {8, 7, 127, DType::kBF16},
    {4, 3, 7, DType::kF8E4M3},   {5, 2, 15, DType::kF8E5M2},
};

// Sign, exponent and mantissa side by side, without spare bits.
DType FloatType(hid_t type) {
  size_t sign = 0, exponent = 0, exponent_bits = 0, mantissa = 0,
         mantissa_bits = 0;
  H5Tget_fields(type, &sign, &exponent, &exponent_bits, &mantissa,
                &mantissa_bits);
  for (const FloatBits& row : kFloats) {
    if (row.exponent == exponent_bits && row.mantissa == mantissa_bits &&
        row.bias == H5Tget_ebias(type) && mantissa == 0 &&
        exponent == mantissa_bits && sign == row.bits() - 1 &&
        8 * H5Tget_size(type) == row.bits() &&
        H5Tget_norm(type) == H5T_NORM_IMPLIED) {
      return row.dtype;
    }
  }
  return DType::kOpaque;
}

DType IntegerType(hid_t type) {
  using enum DType;
  const bool is_signed = H5Tget_sign(type) == H5T_SGN_2;
  const size_t size = H5Tget_size(type);
  if (H5Tget_precision(type) != 8 * size) return kOpaque;
  switch (size) {
    case 1:
      return is_signed ? kI8 : kU8;
    case 2:
      return is_signed ? kI16 : kU16;
    case 4:
      return is_signed ? kI32 : kU32;
    case 8:
      return is_signed ? kI64 : kU64;
    default:
      return kOpaque;
  }
}

// As h5py writes bool: bytes with names for 0 and 1.
DType EnumType(hid_t type) {
  if (H5Tget_size(type) != 1 || H5Tget_nmembers(type) != 2) {
    return DType::kOpaque;
  }
  constexpr const char* kNames[] = {"FALSE", "TRUE"};
  for (int value = 0; value < 2; ++value) {
    int8_t stored = -1;
    if (H5Tenum_valueof(type, kNames[value], &stored) < 0 || stored != value) {
      return DType::kOpaque;
    }
  }
  return DType::kBool;
}

bool MemberIs(hid_t type, unsigned index, const char* name, size_t offset) {
  char* const found = H5Tget_member_name(type, index);
  const bool same = found != nullptr && std::strcmp(found, name) == 0;
  H5free_memory(found);
  return same && H5Tget_member_offset(type, index) == offset;
}

// As h5py writes complex numbers: a record of r and i.
void SetComplex(hid_t type, StoredTensor& tensor) {
  const size_t half = H5Tget_size(type) / 2;
  if (H5Tget_nmembers(type) != 2 || !MemberIs(type, 0, "r", 0) ||
      !MemberIs(type, 1, "i", half)) {
    return;
  }
  const Hdf5Id real(H5Tget_member_type(type, 0));
  const Hdf5Id imaginary(H5Tget_member_type(type, 1));
  if (H5Tget_class(real.get()) != H5T_FLOAT ||
      H5Tequal(real.get(), imaginary.get()) <= 0) {
    return;
  }
  const DType part = FloatType(real.get());
  for (const DTypeInfo& info : AllDTypes()) {
    if (info.kind == DKind::kComplex && info.part == part &&
        info.bits / 8u == 2 * half) {
      tensor.dtype = info.type;
    }
  }
  tensor.big_endian = H5Tget_order(real.get()) == H5T_ORDER_BE;
}

bool KnownOrder(H5T_order_t order) {
  return order == H5T_ORDER_LE || order == H5T_ORDER_BE ||
         order == H5T_ORDER_NONE;
}

}  // namespace

void SetHdf5Type(hid_t type, StoredTensor& tensor) {
  tensor.dtype = DType::kOpaque;
  tensor.big_endian = false;
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_COMPOUND) {
    SetComplex(type, tensor);
  } else if (kind == H5T_ENUM) {
    tensor.dtype = EnumType(type);
  } else if (kind == H5T_FLOAT && KnownOrder(H5Tget_order(type))) {
    tensor.dtype = FloatType(type);
  } else if (kind == H5T_INTEGER && KnownOrder(H5Tget_order(type))) {
    tensor.dtype = IntegerType(type);
  }
  if (kind == H5T_FLOAT || kind == H5T_INTEGER) {
    tensor.big_endian = tensor.dtype != DType::kOpaque &&
                        H5Tget_size(type) > 1 &&
                        H5Tget_order(type) == H5T_ORDER_BE;
  }
}

}  // namespace assay
