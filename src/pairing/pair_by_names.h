#pragma once

#include "pairing/strategy.h"

namespace assay {

// The strategy that others build on: by names alone.
Result<Pairing> PairByNames(const Dump& golden, const Dump& target,
                            const PairOptions& options);

}  // namespace assay
