#pragma once

#include <string>

#include "base/result.h"
#include "executors/executor.h"
#include "executors/ort_session.h"

namespace assay::ort {

struct Options {
  Settings settings;
  std::string library;  // empty: the one that is found
};

// Those of a request; a library behind '@' in the executor's name wins.
Result<Options> ReadOptions(const RunRequest& request);

}  // namespace assay::ort
