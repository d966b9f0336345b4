#pragma once

#include <memory>

#include "base/result.h"
#include "core/dump.h"
#include "core/graph.h"
#include "pipeline/compare.h"
#include "pipeline/talk.h"

namespace assay {

using GraphRef = std::shared_ptr<const Graph>;

// Gives both sides their graphs, and their tensors the names that these have.
// Each side by its own model where it has one: equal names may mean other
// tensors in another model. Returns a quantiser's rules; null: there are none.
Result<GraphRef> LoadGraphs(const CompareOptions& options, const Talk& talk,
                            Dump& golden, Dump& target);

}  // namespace assay
