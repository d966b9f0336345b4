#pragma once

#include <cstdint>
#include <string_view>

#include "core/dtype.h"

namespace assay {

// A data type of Ascend dump files. Those that cannot be decoded are kOpaque.
struct AscendType {
  int32_t number;
  std::string_view name;
  DType dtype;
};

inline constexpr int32_t kAscendUndefined = 0;

// Null for a number that is not in the table.
const AscendType* FindAscendType(int32_t number);
// The type that values are written as; never called for kOpaque.
int32_t AscendNumber(DType dtype);
// Graphs and nano dumps count the same types differently; -1 for a number that
// stands for none.
int32_t AscendNumberOfGe(int32_t number);

}  // namespace assay
