#pragma once

#include <string>
#include <vector>

#include "legacy/llm_table.h"

namespace assay {

// A metric of the user: a Python function of two flat float32 arrays, golden
// first, that returns a value and a message.
struct CustomMetric {
  std::string file, function;

  // "file.py:function". Python must have such a function, or be able to say
  // why not.
  static Result<CustomMetric> Parse(const std::string& text);
};

struct CustomCell {
  std::string value;    // "NaN" if there is none
  std::string message;  // the function's own, or why there is no value
};

// What it says of every row. Python runs in a child: a function that raises,
// does not end or answers with garbage costs its cell.
std::vector<CustomCell> AskCustom(const CustomMetric& metric,
                                  const std::vector<LlmRow>& rows);

}  // namespace assay
