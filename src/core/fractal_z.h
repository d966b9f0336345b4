#pragma once

#include <string_view>

#include "base/result.h"
#include "core/element_map.h"
#include "core/tensor.h"

namespace assay {

// Weights of a convolution with groups, packed together in FRACTAL_Z so that
// small groups share a cube. `shape` is that of all groups, with a letter for
// each of its four dimensions.
Result<ElementMap> GroupedWeights(const StoredTensor& tensor,
                                  const Shape& shape, std::string_view letters);

// Whether these weights in these groups take as much as is stored.
bool HoldsGroups(const StoredTensor& tensor, const Shape& shape,
                 std::string_view letters);

// How many groups share one set of cubes.
int64_t GroupsTogether(int64_t channels, int64_t rows, int64_t c0,
                       int64_t groups);

}  // namespace assay
