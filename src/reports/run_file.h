#pragma once

#include <string>

#include "base/result.h"
#include "core/comparison.h"

namespace assay {

// By its first bytes; a file that cannot be read is none.
bool IsRunFile(const std::string& path);

// The comparison that was saved: it gives the same reports.
Result<Comparison> ReadRun(const std::string& path);

}  // namespace assay
