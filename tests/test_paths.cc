#include "test_paths.h"

namespace assay {

std::string TestData(const std::string& name) {
  return ASSAY_TEST_DATA "/" + name;
}

std::string FuzzCorpus(const std::string& name) {
  return ASSAY_FUZZ_CORPUS "/" + name;
}

}  // namespace assay
