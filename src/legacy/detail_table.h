#pragma once

#include <cstdint>
#include <string>

#include "pipeline/measure.h"

namespace assay {

// msaccucmp's look at one tensor: every element with its errors, the largest
// errors, and a summary.
struct DetailRequest {
  MeasureJob job;  // target is "my" side
  Shape shape;     // for the coordinates
  std::string title = "N C H W";
  std::string my_ops, golden_ops;
  std::string folder, prefix;  // of the files: FOLDER/PREFIX_summary.txt
  std::string short_prefix;    // where PREFIX makes a name too long
  uint64_t top = 20;
  uint64_t lines = 1000000;  // of one file of the full table
  bool full_table = true;
};

// FOLDER/PREFIX + rest. A name that is too long is replaced, and noted in
// simple_op_mapping.csv.
std::string DetailPath(const DetailRequest& request, const std::string& rest);

// Writes PREFIX_<first>.csv, PREFIX_absolute_error_topn.csv,
// PREFIX_relative_error_topn.csv and PREFIX_summary.txt. What the original
// prints: the two tables of the largest errors.
Result<std::string> WriteDetail(const DetailRequest& request);

}  // namespace assay
