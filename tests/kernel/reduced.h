#pragma once

#include <algorithm>
#include <vector>

#include "kernel/reduce.h"

namespace assay {

inline void ReduceRange(const ReduceKernels& k, const float* g, const float* t,
                        size_t n, uint64_t base, PairStats& stats) {
  k.f32(g, t, n, base, {}, stats);
}
inline void ReduceRange(const ReduceKernels& k, const double* g,
                        const double* t, size_t n, uint64_t base,
                        PairStats& stats) {
  k.f64(g, t, n, base, {}, stats);
}

// Elements [begin, end), block by block.
template <typename T>
PairStats Reduced(const ReduceKernels& k, const std::vector<T>& g,
                  const std::vector<T>& t, size_t begin, size_t end) {
  PairStats stats;
  for (size_t at = begin; at < end; at += kBlock) {
    ReduceRange(k, g.data() + at, t.data() + at, std::min(kBlock, end - at), at,
                stats);
  }
  return stats;
}

}  // namespace assay
