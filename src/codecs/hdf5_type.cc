// A datatype:
//   0  1  class, and the version in the upper four bits
//   1  3  flags of the class
//   4  4  bytes of an element
//   8  .. numbers: bit offset and precision (2 + 2 bytes); floats also place
//         and size of exponent and mantissa (4 x 1 byte) and bias (4 bytes)
//         enumerations: the type of the values, their names, the values
//         records: name, offset and type of each member
#include "codecs/hdf5_type.h"

#include <algorithm>

namespace assay {
namespace {

enum Class { kInteger = 0, kFloat = 1, kRecord = 6, kEnumeration = 8 };

struct Number {
  DType dtype = DType::kOpaque;
  bool big_endian = false;
  uint64_t size = 0;
};

struct FloatBits {
  uint32_t exponent, mantissa, bias;
  DType dtype;

  uint32_t bits() const { return 1 + exponent + mantissa; }
};
constexpr FloatBits kFloats[] = {
    {11, 52, 1023, DType::kF64}, {8, 23, 127, DType::kF32},
    {5, 10, 15, DType::kF16},    {8, 7, 127, DType::kBF16},
    {4, 3, 7, DType::kF8E4M3},   {5, 2, 15, DType::kF8E5M2},
};

// Sign, exponent and mantissa side by side, without spare bits.
DType FloatType(Hdf5Fields& in, uint32_t flags, uint64_t size) {
  const uint32_t offset = in.U16("bit offset");
  in.Skip(2, "precision");
  const uint32_t exponent = in.U8("exponent");
  const uint32_t exponent_bits = in.U8("exponent bits");
  const uint32_t mantissa = in.U8("mantissa");
  const uint32_t mantissa_bits = in.U8("mantissa bits");
  const uint32_t bias = in.U32("bias");
  const uint32_t sign = flags >> 8 & 0xff, leading = flags >> 4 & 3;
  constexpr uint32_t kImplied = 2, kVax = 0x40;
  for (const FloatBits& row : kFloats) {
    if (row.exponent == exponent_bits && row.mantissa == mantissa_bits &&
        row.bias == bias && offset == 0 && mantissa == 0 &&
        exponent == mantissa_bits && sign == row.bits() - 1 &&
        8 * size == row.bits() && leading == kImplied && (flags & kVax) == 0) {
      return row.dtype;
    }
  }
  return DType::kOpaque;
}

DType IntegerType(Hdf5Fields& in, uint32_t flags, uint64_t size) {
  using enum DType;
  const uint32_t offset = in.U16("bit offset"), bits = in.U16("precision");
  if (offset != 0 || bits != 8 * size) return kOpaque;
  const bool is_signed = (flags & 8) != 0;
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

struct Head {
  int kind = 0, version = 0;
  uint32_t flags = 0;
  uint64_t size = 0;
};

Head ReadHead(Hdf5Fields& in) {
  Head head;
  const int first = in.U8("class");
  head.kind = first & 15;
  head.version = first >> 4;
  head.flags = static_cast<uint32_t>(in.Number(3, "flags"));
  head.size = in.U32("size of an element");
  return head;
}

Number ReadNumber(Hdf5Fields& in) {
  const Head head = ReadHead(in);
  Number number{.size = head.size};
  if (head.kind == kInteger)
    number.dtype = IntegerType(in, head.flags, head.size);
  if (head.kind == kFloat) number.dtype = FloatType(in, head.flags, head.size);
  if (!in.ok()) number.dtype = DType::kOpaque;
  number.big_endian =
      (head.flags & 1) != 0 && head.size > 1 && number.dtype != DType::kOpaque;
  return number;
}

// A name ends with a zero; before version 3 it is padded to 8 bytes.
std::string ReadName(Hdf5Fields& in, int version) {
  std::string name;
  uint64_t read = 0;
  while (in.ok()) {
    const char c = static_cast<char>(in.U8("name"));
    ++read;
    if (c == '\0') break;
    name += c;
  }
  if (version < 3 && read % 8 != 0) in.Skip(8 - read % 8, "padding");
  return name;
}

// As h5py writes bool: bytes with names for 0 and 1.
DType EnumerationType(Hdf5Fields& in, const Head& head) {
  const Number base = ReadNumber(in);
  const uint32_t members = head.flags & 0xffff;
  if (base.size != 1 || head.size != 1 || members != 2) return DType::kOpaque;
  std::string names[2];
  for (std::string& name : names) name = ReadName(in, head.version);
  const int first = in.U8("value"), second = in.U8("value");
  const bool rising =
      first == 0 && second == 1 && names[0] == "FALSE" && names[1] == "TRUE";
  const bool falling =
      first == 1 && second == 0 && names[0] == "TRUE" && names[1] == "FALSE";
  return in.ok() && (rising || falling) ? DType::kBool : DType::kOpaque;
}

struct Member {
  std::string name;
  uint64_t offset = 0;
  Number number;
};

Member ReadMember(Hdf5Fields& in, const Head& head) {
  Member member{.name = ReadName(in, head.version)};
  uint64_t width = 4;
  if (head.version >= 3) {
    for (width = 1; width < 4 && head.size >> 8 * width != 0;) ++width;
  }
  member.offset = in.Number(width, "offset");
  if (head.version == 1) in.Skip(28, "dimensions");
  member.number = ReadNumber(in);
  return member;
}

// As h5py writes complex numbers: a record of r and i.
Number RecordType(Hdf5Fields& in, const Head& head) {
  Number number{.size = head.size};
  if ((head.flags & 0xffff) != 2) return number;
  const Member real = ReadMember(in, head), imaginary = ReadMember(in, head);
  if (!in.ok() || real.name != "r" || imaginary.name != "i" ||
      real.offset != 0 || 2 * imaginary.offset != head.size ||
      real.number.dtype != imaginary.number.dtype ||
      real.number.big_endian != imaginary.number.big_endian) {
    return number;
  }
  for (const DTypeInfo& info : AllDTypes()) {
    if (info.kind == DKind::kComplex && info.part == real.number.dtype &&
        info.bits / 8u == head.size) {
      number.dtype = info.type;
      number.big_endian = real.number.big_endian;
    }
  }
  return number;
}

}  // namespace

void SetHdf5Type(const Hdf5File& file, std::string_view bytes,
                 StoredTensor& tensor) {
  Hdf5Fields in(file, bytes, 0);
  const Head head = ReadHead(in);
  Number number;
  if (head.kind == kRecord) {
    number = RecordType(in, head);
  } else if (head.kind == kEnumeration) {
    number.dtype = EnumerationType(in, head);
  } else {
    Hdf5Fields again(file, bytes, 0);
    number = ReadNumber(again);
  }
  tensor.dtype = number.dtype;
  tensor.big_endian = number.big_endian;
}

}  // namespace assay
