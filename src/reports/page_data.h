#pragma once

#include <string>

#include "base/result.h"
#include "core/comparison.h"

namespace assay {

// Everything the page shows of a run, compressed (zlib). Inside:
//   0  4   length of the JSON, u32
//   4  n   JSON, "assay.page/1": what there is once, and where columns stand
//   .. 8·  columns, see PageColumns; they start at a multiple of 8
Result<std::string> PageData(const Comparison& c);

}  // namespace assay
