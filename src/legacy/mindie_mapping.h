#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace assay {

// An operator of the device and the module of the framework that it stands for.
struct MindieOperator {
  std::string name;   // as in the names of its dumps
  std::string scope;  // "layer1.0.relu"
};

// Reads mindie_rt_op_mapping.json and mindie_torch_op_mapping.json of a folder:
// in the order of the mapping. A module that holds another one is left out.
Result<std::vector<MindieOperator>> ReadMindieMapping(
    const std::string& folder);

}  // namespace assay
