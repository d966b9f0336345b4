#pragma once

#include <string_view>
#include <vector>

#include "core/comparison.h"

namespace assay {

// The order in which people read rows: error, fail, unsure (by margin, the
// largest first), skipped, trivial, pass; equal ones by number. With a metric:
// its bad end first, rows that do not have it last.
std::vector<const Row*> WorstFirst(const Comparison& c,
                                   std::string_view metric = "");

}  // namespace assay
