#pragma once

#include <vector>

#include "pairing/torchair_match.h"

namespace assay {

// The graphs of two TorchAir dumps, and which belong together.
struct TorchairSides {
  std::vector<GraphGroup> mine, theirs;  // of the target, of the golden side
  std::vector<const Graph*> graphs;      // of mine; null: none
  std::vector<size_t> partners;          // of mine, in theirs; kNobody: none
};

// Golden is a dump of the FX graph.
TorchairSides SidesOfFx(const Dump& golden, const Dump& target);
// Golden is a dump from the device, too.
TorchairSides SidesOfGe(const Dump& golden, const Dump& target);

}  // namespace assay
