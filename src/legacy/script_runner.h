#pragma once

#include <span>
#include <vector>

#include "legacy/ask_algorithms.h"

namespace assay {

// The cells of the scripts among the algorithms, for each pair. They run in one
// Python process that gets the values as npy files; what a script does wrong
// costs its cell and nothing else.
std::vector<std::vector<MsaccucmpCell>> RunScripts(
    std::span<const AlgorithmPair* const> pairs,
    const AlgorithmOptions& options);

}  // namespace assay
