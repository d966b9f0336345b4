#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/compare.h"
#include "pipeline/record.h"

namespace assay {

struct WatchOptions {
  std::string folder;
  Keep keep = Keep::kMinMax;
  bool once = false;                 // what is there, then the end
  std::vector<std::string> command;  // the job; empty: until a signal
  MeasureOptions measure;
};

// Shrinks dump files to records while a job writes them; each file is in the
// folder as one of the two, never both, never half. Prints each replacement.
// The exit code: of the job, if there is one.
Result<int> Watch(const WatchOptions& options, const Talk& talk,
                  const std::atomic<bool>& stop);

}  // namespace assay
