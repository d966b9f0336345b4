#pragma once

#include <cstdint>
#include <string>

#include "legacy/metric_group.h"

namespace assay {

// A number of the type that NumPy gives it.
struct TypedNumber {
  double value = 0;
  int bits = 64;  // 16, 32, 64: of a float

  operator double() const { return value; }  // NOLINT: it is one
  std::string Text() const;                  // str() in NumPy
};

// The numbers of dump_tools.py for one pair, S against B.
struct TecoNumbers {
  std::string message;   // the shapes do not fit: nothing else counts
  bool nan_inf = false;  // in S or B
  // Sums of |S-B| and (S-B)^2, and of |B| and B^2, which know nothing of S.
  TypedNumber difference, squares, golden, golden_squares;
  TypedNumber diff1, diff2_1, mae, mape;
  std::string complex_diff2_1;  // its text where it is a complex number
  std::string exception;        // instead of these four; empty: none
  double diff2 = 0;             // of float32 casts, as its table has it
  TypedNumber diff3_max, diff3_mean;
  bool empty = false;              // diff3_max has no value
  uint64_t greater = 0, less = 0;  // S > B, S < B
  double diff_acc = 0;
  bool all_close = false;  // of float32 casts
};

// `threshold` (th1): where |B| is above it, diff3 is relative; also the
// tolerance of all_close. `job.target` is S.
Result<TecoNumbers> AskTeco(const MeasureJob& job, double threshold);

}  // namespace assay
