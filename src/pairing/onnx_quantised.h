#pragma once

#include "core/dump.h"
#include "core/graph.h"
#include "core/pairing.h"

namespace assay {

// One side is a quantised form of the other's model. `graph` is the ONNX model
// of a side; null: it has none.
struct QuantisedSides {
  const Dump& golden;
  const Dump& target;
  const Graph* golden_graph = nullptr;
  const Graph* target_graph = nullptr;
};

// Integers get their scales; those of the target that no golden tensor shares
// a name with meet the floats that they stand for: what a QuantizeLinear was
// given, what a DequantizeLinear makes of it.
void PairQuantised(const QuantisedSides& sides, Pairing& pairing);

}  // namespace assay
