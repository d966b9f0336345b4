#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "pipeline/compare.h"

namespace assay {

// Compares, and records how: tool, time, threads, the words that asked for it.
Result<Comparison> CompareTimed(const CompareOptions& options,
                                const std::vector<std::string>& argv,
                                const Talk& talk,
                                const std::atomic<bool>& stop);

}  // namespace assay
