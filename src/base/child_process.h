#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

struct ChildResult {
  int exit = 0;  // 128 + N: ended by signal N
  std::string out, err;
};

// Runs a program that is looked up in PATH, without a shell: `input` is its
// standard input. NotFound if there is no such program.
Result<ChildResult> RunChild(const std::vector<std::string>& words,
                             std::string_view input);

}  // namespace assay
