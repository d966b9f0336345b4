#pragma once

#include <string>
#include <vector>

#include "legacy/csv_table.h"

namespace assay {

// What the column Result of msprobe's table is decided by.
struct ProbeRow {
  std::string api;  // "Functional.linear.0.forward"
  bool is_output = false;
  CsvRow cells;
  std::string npu_max, npu_min, bench_max, bench_min;
  bool types_differ = false, shapes_differ = false, grads_differ = false;
  bool scalars_differ = false, hashes_differ = false, hash_missing = false;
  // Of the values, where there are any; else of their statistics.
  std::string cosine, thousandth, norm_relative;
  std::string result = "pass";        // "warning", "error"
  std::vector<std::string> messages;  // why
  std::string grad_consistent, data_name, stack = "N/A";
};

// Decides `result` for all rows: those of one API stand together.
void DecideResults(std::vector<ProbeRow>& rows);

}  // namespace assay
