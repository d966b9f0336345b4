#pragma once

#include <span>
#include <vector>

#include "judge/causes.h"
#include "pipeline/attribute.h"

namespace assay {

// Reads the unsure outputs again and tells `facts` of those with an odd index
// that none of their ingredients shows. All lists are parallel.
void MarkOddSlices(const std::vector<Planned>& planned,
                   std::span<const Ingredients> from,
                   const Measurements& measurements,
                   std::span<TensorFacts> facts);

}  // namespace assay
