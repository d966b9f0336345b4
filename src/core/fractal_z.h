#pragma once

#include "base/result.h"
#include "core/element_map.h"
#include "core/tensor.h"

namespace assay {

// Weights of a convolution with groups, packed together in FRACTAL_Z so that
// small groups share a cube. `shape` is that of all groups in the order of
// `to`, which keeps N and C together: NCHW or HWCN.
Result<ElementMap> GroupedWeights(const StoredTensor& tensor, Layout to,
                                  const Shape& shape);

// How many groups share one set of cubes.
int64_t GroupsTogether(int64_t channels, int64_t rows, int64_t c0,
                       int64_t groups);

}  // namespace assay
