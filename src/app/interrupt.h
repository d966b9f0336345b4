#pragma once

#include <atomic>

namespace assay {

// Set by the first Ctrl-C (or SIGTERM) from now on; the second one ends the
// program at once.
const std::atomic<bool>& WatchInterrupt();

}  // namespace assay
