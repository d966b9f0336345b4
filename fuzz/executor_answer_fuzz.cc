#include <cstdlib>

#include "executors/protocol.h"

// Answers and requests; stops the fuzzer if one that is understood does not
// read back as it was.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;  // NOLINT: a fuzz target is a program of its own
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto answer = ParseAnswer(text)) {
    const std::string line = AnswerJson(*answer);
    const auto again = ParseAnswer(line);
    if (!again || AnswerJson(*again) != line) abort();
  } else if (answer.error().what.empty()) {
    abort();
  }
  if (const auto request = ParseRequest(text)) {
    const std::string json = RequestJson(*request);
    const auto again = ParseRequest(json);
    if (!again || RequestJson(*again) != json) abort();
  }
  return 0;
}
