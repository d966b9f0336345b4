#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace assay {

enum class DType : uint8_t {
  kF64,
  kF32,
  kF16,
  kBF16,
  kF8E4M3,
  kF8E5M2,
  kF8E8M0,
  kHiF8,
  kI64,
  kI32,
  kI16,
  kI8,
  kI4,
  kU64,
  kU32,
  kU16,
  kU8,
  kU1,
  kBool,
  kC64,
  kC128,
  kC32,
  kOpaque,  // text, objects, records: known to be there, never compared
};

enum class DKind : uint8_t { kFloat, kInteger, kBool, kComplex, kOpaque };

struct DTypeInfo {
  DType type;
  std::string_view name;  // as in reports and for --dtype
  DKind kind;
  uint8_t bits;      // of one element as stored; 0 for kOpaque
  bool is_unsigned;  // integers
  DType part;        // complex: the type of each part; else itself
  double roundoff;   // unit roundoff of floats; 0 for others
  double tiny;       // smallest positive value of floats; 0 for others
};

const DTypeInfo& Info(DType type);
std::span<const DTypeInfo> AllDTypes();
std::optional<DType> ParseDType(std::string_view name);

inline std::string_view Name(DType type) { return Info(type).name; }
inline bool IsComplex(DType type) { return Info(type).kind == DKind::kComplex; }

}  // namespace assay
