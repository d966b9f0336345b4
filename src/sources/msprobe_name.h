#pragma once

#include <string>
#include <string_view>

#include "core/dtype.h"
#include "core/dump.h"

namespace assay {

// What the name of an entry of dump.json, and a place in it, tell.
struct MsprobeName {
  std::string op;    // "Functional.linear", "Module.fc.Linear"
  std::string type;  // "linear", "Linear"; empty of a variable
  int32_t call = 0;
  Phase phase = Phase::kForward;
  Port port = Port::kNone;
  int32_t index = -1;
};
MsprobeName ParseMsprobeName(std::string_view entry, std::string_view place);

// "torch.bfloat16", "Float32", "int64"; kOpaque for one that we do not know.
DType MsprobeDType(std::string_view name);

}  // namespace assay
