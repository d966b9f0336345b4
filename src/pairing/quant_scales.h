#pragma once

#include <memory>

#include "core/graph.h"
#include "core/quant_grid.h"

namespace assay {

// What the integers of a quantisation (AscendQuant) stand for, by its own
// attributes; null: it is none, or they do not say.
std::shared_ptr<const QuantGrid> ScalesOf(const Graph& graph,
                                          const Operator& op);

}  // namespace assay
