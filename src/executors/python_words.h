#pragma once

#include <string>
#include <vector>

namespace assay {

// The folder that holds the package `assay`; empty: it must be installed.
std::string PythonPackageFolder();

// Which Python is used: the variable ASSAY_PYTHON, else the one in PATH.
std::string PythonProgram();

// The words that start Python with these arguments, so that it finds the
// package `assay`.
std::vector<std::string> PythonWords(std::vector<std::string> words);

}  // namespace assay
