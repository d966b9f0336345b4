#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/tensor.h"

namespace assay {

struct SafetensorsType {
  std::string_view name;
  DType dtype;
};
// Types that cannot be compared are kOpaque.
const SafetensorsType* FindSafetensorsType(std::string_view name);
// "BF16"; empty if the format lacks the type.
std::string_view SafetensorsName(DType dtype);

// The tensors of a JSON header in their order there. Extents count from the
// first byte after the header and are not checked against the file.
Result<std::vector<StoredTensor>> ParseSafetensorsHeader(std::string_view json,
                                                         std::string_view path,
                                                         uint64_t base);

}  // namespace assay
