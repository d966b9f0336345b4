#pragma once

#include <vector>

#include "pairing/fingerprint.h"
#include "pairing/strategy.h"

namespace assay {

// How far apart two tensors are: 0 is equal, above 1 nothing in common.
// Statistics do not see the order; the first values do, where shapes agree.
double Distance(const Fingerprint& a, const Fingerprint& b);

// Pairs tensors of one size and kind whose values agree best. A pair must be
// the best for both of its tensors, and no other may come near; what several
// fit equally well is left with the candidates. One fingerprint per tensor.
Result<Pairing> PairByContent(const Dump& golden, const Dump& target,
                              const std::vector<Fingerprint>& golden_prints,
                              const std::vector<Fingerprint>& target_prints,
                              const PairOptions& options);

}  // namespace assay
