#pragma once

#include <string>
#include <vector>

namespace assay {

// The words that start Python with these arguments, so that it finds the
// package `assay`.
std::vector<std::string> PythonWords(std::vector<std::string> words);

}  // namespace assay
