#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/view.h"

namespace assay {

struct Pair {
  View golden, target;
  std::string strategy;
  std::string why;
};

struct Unpaired {
  uint32_t tensor = 0;  // into Dump::tensors
  std::string why;
  bool skipped = false;  // left out on purpose (--only)
};

struct Pairing {
  std::string strategy;
  std::string why;
  bool named_by_target = false;  // rows are called as the target's tensors
  std::vector<Pair> pairs;
  std::vector<Unpaired> golden, target;
};

}  // namespace assay
