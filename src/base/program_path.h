#pragma once

#include <string>

namespace assay {

// The program `assay`: this one, or the one that ASSAY_PROGRAM names where a
// test or another program uses the library.
std::string ProgramPath();

}  // namespace assay
