#pragma once

#include <string>
#include <string_view>

#include "core/dtype.h"
#include "core/shape.h"

namespace assay {

// How Python and NumPy word things in the old tools' texts.
std::string TupleText(const Shape& shape);  // "(2, 3)", "(5,)", "()"
// The array that a stored tensor becomes: "float16"; bf16 becomes "float32",
// 8-bit floats "float64".
std::string_view NumpyType(DType type);

}  // namespace assay
