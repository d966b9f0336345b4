#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

// Runs a program on this program's own terminal or pipes and waits for it; its
// exit code as in ChildResult. Ctrl-C ends the program, not this one.
Result<int> RunAttached(const std::vector<std::string>& words);

}  // namespace assay
