#include "codecs/ascend_type.h"

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

// In the order of the numbers.
constexpr AscendType kTypes[] = {
    {0, "UNDEFINED", DType::kI8},
    {1, "FLOAT", DType::kF32},
    {2, "FLOAT16", DType::kF16},
    {3, "INT8", DType::kI8},
    {4, "UINT8", DType::kU8},
    {5, "INT16", DType::kI16},
    {6, "UINT16", DType::kU16},
    {7, "INT32", DType::kI32},
    {8, "INT64", DType::kI64},
    {9, "UINT32", DType::kU32},
    {10, "UINT64", DType::kU64},
    {11, "BOOL", DType::kBool},
    {12, "DOUBLE", DType::kF64},
    {13, "STRING", DType::kOpaque},
    {14, "DUAL_SUB_INT8", DType::kOpaque},
    {15, "DUAL_SUB_UINT8", DType::kOpaque},
    {16, "COMPLEX64", DType::kC64},
    {17, "COMPLEX128", DType::kC128},
    {18, "QINT8", DType::kI8},
    {19, "QINT16", DType::kI16},
    {20, "QINT32", DType::kI32},
    {21, "QUINT8", DType::kU8},
    {22, "QUINT16", DType::kU16},
    {23, "RESOURCE", DType::kI64},
    {24, "STRING_REF", DType::kOpaque},
    {25, "DUAL", DType::kOpaque},
    {26, "VARIANT", DType::kOpaque},
    {27, "BF16", DType::kBF16},
    {28, "INT4", DType::kI4},
    {29, "UINT1", DType::kU1},
    {30, "INT2", DType::kOpaque},
    {31, "UINT2", DType::kOpaque},
    {32, "COMPLEX32", DType::kC32},
    {33, "HIFLOAT8", DType::kHiF8},
    {34, "FLOAT8_E5M2", DType::kF8E5M2},
    {35, "FLOAT8_E4M3FN", DType::kF8E4M3},
    {36, "FLOAT8_E8M0", DType::kF8E8M0},
    {37, "FLOAT6_E3M2", DType::kOpaque},
    {38, "FLOAT6_E2M3", DType::kOpaque},
    {39, "FLOAT4_E2M1", DType::kOpaque},
    {40, "FLOAT4_E1M2", DType::kOpaque},
    {41, "HIFLOAT4", DType::kOpaque},
    {42, "HIFLOAT4_SCALE", DType::kOpaque},
};

// The first numbers of the other count; from 13 on both agree until it has
// UNDEFINED in the middle.
constexpr int32_t kOfGe[] = {1, 2, 3, 7, 4, -1, 5, 6, 9, 8, 10, 12, 11};
constexpr int32_t kGeUndefined = 28;
constexpr int32_t kGeLast = 43;

}  // namespace

const AscendType* FindAscendType(int32_t number) {
  if (number < 0 || number >= static_cast<int32_t>(std::size(kTypes))) {
    return nullptr;
  }
  return &kTypes[number];
}

int32_t AscendNumber(DType dtype) {
  // UNDEFINED is read as bytes but never written.
  return std::ranges::find(std::begin(kTypes) + 1, std::end(kTypes), dtype,
                           &AscendType::dtype)
      ->number;
}

int32_t AscendNumberOfGe(int32_t number) {
  if (number < 0 || number > kGeLast) return -1;
  if (number < static_cast<int32_t>(std::size(kOfGe))) return kOfGe[number];
  if (number < kGeUndefined) return number;
  return number == kGeUndefined ? kAscendUndefined : number - 1;
}

}  // namespace assay
