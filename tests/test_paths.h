#pragma once

#include <string>

namespace assay {

// Paths of tests/data and of fuzz/corpus. Only test_paths.cc is compiled with
// them: the other objects are the same in every clone, and ccache finds them.
std::string TestData(const std::string& name = "");
std::string FuzzCorpus(const std::string& name = "");

}  // namespace assay
