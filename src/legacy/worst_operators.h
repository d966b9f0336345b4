#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

// One operator of a table that msaccucmp wrote: its cosine similarities.
struct OperatorCosines {
  struct Tensor {
    std::string index;   // "0"
    std::string cosine;  // "0.549194", "NaN"
  };
  std::string row;  // the column Index
  std::string op, type;
  std::vector<std::string> left, right;  // operators of both sides
  std::vector<Tensor> inputs, outputs;

  // An output at or below the limit. What is no number is not.
  bool IsBad(double limit) const;
};

// In the order of the table. Both headings are known: LeftOp and RightOp, and
// NPUDump and GroundTruth of today.
Result<std::vector<OperatorCosines>> ReadCosines(std::string_view text,
                                                 const std::string& path);

// Panels of the bad ones, at most so many. How many there are.
size_t PrintBadOperators(const std::vector<OperatorCosines>& operators,
                         double limit, size_t most, std::string& out);

}  // namespace assay
