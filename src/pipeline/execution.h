#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/dump.h"

namespace assay {

// One execution of an operator, as far as it was dumped. The numbers point
// into Dump::tensors.
struct ExecutedOp {
  NameId op = kNoName, type = kNoName;
  std::vector<uint32_t> inputs, outputs;
};

struct Execution {
  std::vector<ExecutedOp> ops;  // in the order they were executed
  std::string order;            // what that was read from: "timestamps"
};

// A tensor of which nobody says whether it went in or came out came out.
Execution ExecutionOf(const Dump& dump);

}  // namespace assay
