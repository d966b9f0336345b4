#include "legacy/python_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace assay {

std::string TupleText(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "),
                     shape.size() == 1 ? "," : "");
}

std::string_view NumpyType(DType type) {
  switch (type) {
    case DType::kF64:
    case DType::kF8E4M3:
    case DType::kF8E5M2:
    case DType::kF8E8M0:
    case DType::kHiF8:
      return "float64";
    case DType::kF32:
    case DType::kBF16:
      return "float32";
    case DType::kF16:
      return "float16";
    case DType::kI64:
      return "int64";
    case DType::kI32:
      return "int32";
    case DType::kI16:
      return "int16";
    case DType::kI8:
    case DType::kI4:
      return "int8";
    case DType::kU64:
      return "uint64";
    case DType::kU32:
      return "uint32";
    case DType::kU16:
      return "uint16";
    case DType::kU8:
    case DType::kU1:
      return "uint8";
    case DType::kBool:
      return "bool";
    case DType::kC64:
    case DType::kC32:
      return "complex64";
    case DType::kC128:
      return "complex128";
    case DType::kOpaque:
      break;
  }
  return "object";
}

}  // namespace assay
