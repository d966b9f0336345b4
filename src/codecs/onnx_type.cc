#include "codecs/onnx_type.h"

#include <algorithm>
#include <iterator>

namespace assay {
namespace {

constexpr OnnxType kOnnxTypes[] = {
    {1, "float", DType::kF32, onnx::kFloatData},
    {2, "uint8", DType::kU8, onnx::kInt32Data},
    {3, "int8", DType::kI8, onnx::kInt32Data},
    {4, "uint16", DType::kU16, onnx::kInt32Data},
    {5, "int16", DType::kI16, onnx::kInt32Data},
    {6, "int32", DType::kI32, onnx::kInt32Data},
    {7, "int64", DType::kI64, onnx::kInt64Data},
    {8, "string", DType::kOpaque, onnx::kStringData},
    {9, "bool", DType::kBool, onnx::kInt32Data},
    {10, "float16", DType::kF16, onnx::kInt32Data},
    {11, "double", DType::kF64, onnx::kDoubleData},
    {12, "uint32", DType::kU32, onnx::kUint64Data},
    {13, "uint64", DType::kU64, onnx::kUint64Data},
    {14, "complex64", DType::kC64, onnx::kFloatData},
    {15, "complex128", DType::kC128, onnx::kDoubleData},
    {16, "bfloat16", DType::kBF16, onnx::kInt32Data},
    {17, "float8e4m3fn", DType::kF8E4M3, onnx::kInt32Data},
    {18, "float8e4m3fnuz", std::nullopt, onnx::kInt32Data},
    {19, "float8e5m2", DType::kF8E5M2, onnx::kInt32Data},
    {20, "float8e5m2fnuz", std::nullopt, onnx::kInt32Data},
    {21, "uint4", std::nullopt, onnx::kInt32Data},
    {22, "int4", DType::kI4, onnx::kInt32Data},
    {23, "float4e2m1", std::nullopt, onnx::kInt32Data},
    {24, "float8e8m0", DType::kF8E8M0, onnx::kInt32Data},
    {25, "uint2", std::nullopt, onnx::kInt32Data},
    {26, "int2", std::nullopt, onnx::kInt32Data},
};

}  // namespace

const OnnxType* FindOnnxType(uint64_t number) {
  const auto* type = std::ranges::find(kOnnxTypes, number, &OnnxType::number);
  return type == std::end(kOnnxTypes) ? nullptr : type;
}

const OnnxType* FindOnnxType(DType dtype) {
  const auto* type = std::ranges::find(kOnnxTypes, dtype, &OnnxType::dtype);
  return type == std::end(kOnnxTypes) ? nullptr : type;
}

}  // namespace assay
