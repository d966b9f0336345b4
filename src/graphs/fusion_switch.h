#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// A fusion switch file: which passes the compiler is told to run.
struct FusionSwitch {
  struct Pass {
    std::string name;
    bool on = false;
  };
  // A pass that is named beats ALL.
  std::vector<Pass> graph_passes, ub_passes;
  std::vector<std::string> warnings;
};

// Whether a file of this name that begins like this is a fusion switch file.
bool IsFusionSwitch(std::string_view file_name, std::string_view head);

// Everything in it must be known and be on or off.
Result<FusionSwitch> ReadFusionSwitch(const std::string& path);

// The text of such a file.
std::string FusionSwitchFile(const FusionSwitch& passes);

}  // namespace assay
