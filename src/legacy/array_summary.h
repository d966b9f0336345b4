#pragma once

#include <string>

#include "base/result.h"
#include "core/stored_view.h"

namespace assay {

// "[Max: 1.5] [Min: 0.0] [Mean: 0.25]" as NumPy's max(), min() and mean() of
// the array are printed; a NaN makes all three NaN.
Result<std::string> ExtremesText(const StoredView& view);

}  // namespace assay
