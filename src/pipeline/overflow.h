#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "pipeline/first_nonfinite.h"
#include "pipeline/overflow_entries.h"

namespace assay {

struct OverflowReport {
  OverflowEntries overflows;
  NonFiniteSearch search;
  std::vector<Error> errors;  // what could not be read, of both
  bool interrupted = false;

  bool FoundSomething() const;
};

// Decodes the overflow records below a path and looks for the first operator
// whose results are not finite. `talk` gets lines for people.
Result<OverflowReport> FindOverflows(
    const OverflowOptions& options,
    const std::function<void(const std::string&)>& talk,
    const std::atomic<bool>& stop);

}  // namespace assay
