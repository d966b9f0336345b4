#pragma once

#include <string>
#include <vector>

#include "legacy/llm_table.h"

namespace assay {

// A metric of the user: a Python function of two flat float32 arrays, golden
// first, that returns a value and a message.
struct CustomMetric {
  std::string file, function;

  // "file.py:function"
  static Result<CustomMetric> Parse(const std::string& text);
};

// Its value for every row. Python runs in a child; a function that raises gives
// an empty value and its message, which is told through `say`. An error: there
// is no Python, or it cannot load the function.
Result<std::vector<std::string>> AskCustom(
    const CustomMetric& metric, const std::vector<LlmRow>& rows,
    const std::function<void(const std::string&)>& say);

}  // namespace assay
