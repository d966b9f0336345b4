#include "legacy/python_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/numpy_name.h"
#include "kernel/value_stream.h"

namespace assay {

std::string TupleText(const Shape& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "),
                     shape.size() == 1 ? "," : "");
}

std::string_view NumpyType(DType type) {
  if (type == DType::kOpaque) return "object";
  return NumpyName(Widened(type));
}

}  // namespace assay
