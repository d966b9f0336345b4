#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/view.h"

namespace assay {

// There may be millions: what many share, they share.
using TextRef = std::shared_ptr<const std::string>;

struct Pair {
  View golden, target;
  TextRef why;
  // The golden tensor is one of the target's own: what an operator that only
  // moves or casts was given.
  bool golden_is_target = false;
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
