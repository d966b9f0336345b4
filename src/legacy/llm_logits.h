#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "legacy/csv_table.h"

namespace assay {

// What logits have to keep; the defaults are the original's.
struct LogitsLimits {
  double cosine = 0.999;  // more than this
  double divergence = 1e-4;
  double l1 = 0.01;
  double ulp = 0x1p-10;  // of 1, in the type that the model computes in
};

struct LogitsSides {
  std::string golden, my;  // folders
};

// "fp16", "bf16", "fp32": the distance of 1 to the next number.
Result<double> UlpOfOne(std::string_view type);

// The table of two folders with files of one name: header first, then by key
// and token.
Result<std::vector<CsvRow>> CompareLogits(const LogitsSides& sides,
                                          const LogitsLimits& limits);

// logits_cmp_res_TIME.csv in a folder, which is made; its path.
Result<std::string> WriteLogits(const std::vector<CsvRow>& table,
                                const std::string& folder);

}  // namespace assay
