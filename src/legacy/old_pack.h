#pragma once

#include "legacy/old_array.h"

namespace assay {

// FRACTAL_Z as msaccucmp packs it: cubes of 16 by 16 for values of any type.
// `plain` is whole, its dimensions are those of `from`.
Result<OldArray> PackWeights(const OldArray& plain, Layout from,
                             int32_t groups);

}  // namespace assay
