#pragma once

#include <cstdint>
#include <string>

#include "legacy/metric_group.h"

namespace assay {

// The numbers of dump_tools.py for one pair, S against B. Those of the arrays
// as they are hold float32 results where NumPy has float32.
struct TecoNumbers {
  bool nan_inf = false;  // in S or B
  double diff1 = 0, mae = 0, mape = 0, diff_acc = 0;
  double diff2 = 0;  // of float32 casts, as its table has it
  double diff3_max = 0, diff3_mean = 0;
  uint64_t greater = 0, less = 0;  // S > B, S < B
  bool all_close = false;          // of float32 casts
  std::string message;             // an exception: nothing else counts
};

// `threshold` (th1): where |B| is above it, diff3 is relative; also the
// tolerance of all_close. `job.target` is S.
Result<TecoNumbers> AskTeco(const MeasureJob& job, double threshold);

}  // namespace assay
