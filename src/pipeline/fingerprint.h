#pragma once

#include <atomic>
#include <vector>

#include "base/result.h"
#include "core/dump.h"
#include "pairing/fingerprint.h"
#include "pipeline/measure.h"

namespace assay {

// What the values of each tensor look like, in one pass over the dump. A tensor
// that cannot be read is not known; that is no error.
Result<std::vector<Fingerprint>> TakeFingerprints(
    const Dump& dump, const MeasureOptions& options, bool show_progress,
    const std::atomic<bool>& stop);

}  // namespace assay
