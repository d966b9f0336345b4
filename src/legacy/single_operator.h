#pragma once

#include <string>

#include "legacy/msaccucmp_network.h"

namespace assay {

// What `-op` asks for.
struct SingleOperator {
  std::string op;
  bool input = false;
  int32_t tensor = 0;
  size_t top = 20;
  uint64_t lines = 1000000;
  bool full_table = true;
};

// Writes the files of one operator's tensor into a folder, and prints the
// largest errors.
OldStatus CompareOperator(const Network& network, const SingleOperator& wanted,
                          const std::string& folder);

}  // namespace assay
