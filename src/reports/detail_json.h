#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "core/comparison.h"

namespace assay {

// A row under the lens, as the page and the run file have it, and back.
std::string DetailJson(const RowDetail& detail);
Result<RowDetail> DetailFromJson(std::string_view text);

}  // namespace assay
