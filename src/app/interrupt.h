#pragma once

#include <atomic>

namespace assay {

// Set by the first Ctrl-C (or SIGTERM) from now on; the second one ends the
// program at once.
const std::atomic<bool>& WatchInterrupt();

// For a prompt that outlives its commands: an earlier Ctrl-C is forgotten, and
// no number of them ends the program any more.
const std::atomic<bool>& WatchNextLine();

}  // namespace assay
