#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/comparison.h"

namespace assay {

// One row as an object of `assay.comparison/1`, on one line.
std::string RowJson(const Row& row);
// The row that gives the same JSON. Metrics that this program does not know
// are left out; an error keeps its place as one text.
Result<Row> RowFromJson(std::string_view text);

}  // namespace assay
