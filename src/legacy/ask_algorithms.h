#pragma once

#include <span>
#include <string>
#include <vector>

#include "legacy/msaccucmp_algorithm.h"

namespace assay {

// A pair to measure, and the files that its tensors are from.
struct AlgorithmPair {
  MeasureJob job;  // target is "my" side
  std::string my_file, golden_file;
};

struct AlgorithmOptions {
  std::vector<OldAlgorithm> algorithms;
  uint64_t first = 0;           // elements to compare; 0: all
  bool bool_is_number = false;  // two boolean arrays count as 0 and 1
  // What a device dumped of an empty array is read without its type.
  bool empty_has_type = false;
  int threads = 1;
};

// What the algorithms say of each pair, one cell for each of them, scripts of
// users included.
std::vector<Result<MsaccucmpAnswer>> AskAlgorithms(
    std::span<const AlgorithmPair> pairs, const AlgorithmOptions& options);

}  // namespace assay
