#pragma once

#include <cstdint>
#include <string>

#include "core/pairing.h"
#include "pairing/name_keys.h"

namespace assay {

template <typename Visit>
void ForEachFree(const Pool& pool, const Visit& visit) {
  for (uint32_t i = 0; i < pool.size(); ++i) {
    if (pool.free[i]) visit(i);
  }
}

void Take(uint32_t g, uint32_t t, TextRef why, Pool& golden, Pool& target,
          Pairing& out);

// Pairs the free tensors whose keys are the same on both sides, if only one on
// each side has it. The others keep the reason.
void RunRound(const Round& round, Pool& golden, Pool& target, Pairing& out);

}  // namespace assay
