#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace assay {

// What a dump in statistics mode keeps of a tensor instead of its values.
struct TensorSummary {
  std::optional<double> min, max, mean;
  std::optional<double> std;  // of the population
  std::optional<double> l2;   // norm
  std::optional<uint64_t> nan, inf;
  std::optional<uint64_t> negative_inf;  // of these
  std::string hash;                      // of the bytes, as the dump spells it
  std::vector<double> sketch;            // core/sketch.h; empty: none
  bool shape_known = true;               // false: only the values' type is
};

}  // namespace assay
