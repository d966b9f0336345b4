#pragma once

#include <string>

#include "core/tensor_summary.h"

namespace assay {

// NaN and Inf in tensors of which only statistics are known.

// "only golden has NaN"; empty: nothing that only one side has for certain.
// It is a fault whatever the rest says.
std::string OneSidedSpecial(const TensorSummary& golden,
                            const TensorSummary& target);

// What both sides have and statistics cannot place, where none is one-sided;
// empty: nothing.
std::string SharedSpecials(const TensorSummary& golden);

// Not known to be without.
bool MayHaveInf(const TensorSummary& summary);

}  // namespace assay
