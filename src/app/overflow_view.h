#pragma once

#include <string>

#include "pipeline/overflow.h"

namespace assay {

// What `assay overflow` prints; at most `first` records.
std::string OverflowText(const OverflowReport& report,
                         const std::string& source, size_t first);
std::string OverflowJson(const OverflowReport& report,
                         const std::string& source, size_t first);

}  // namespace assay
