#pragma once

#include <hwy/detect_targets.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernel/lane_sums.h"
#include "kernel/reduce.h"

namespace assay {

// Order-free facts about one block.
template <typename T>
struct Spread {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  T min_g, max_g, min_t, max_t;
  Bits bits_g = 0, bits_t = 0;
  uint64_t equal = 0;
};

// The vector routines of one instruction set.
template <typename T>
struct BlockOps {
  void (*sums)(const T* g, const T* t, size_t n, const Tolerance&, LaneSums&);
  void (*spread)(const T* g, const T* t, size_t n, Spread<T>&);
  double (*centred_squares)(const T* x, size_t n, double mean);
};

template <typename T>
struct Block {
  const T* golden;
  const T* target;
  size_t n;
  uint64_t base;  // index of the first element in the tensor
};

// Measures a block with the given routines and merges it into `stats`.
template <typename T>
void ReduceBlock(const BlockOps<T>& ops, const Block<T>& block,
                 const Tolerance& tol, PairStats& stats);

extern template void ReduceBlock<float>(const BlockOps<float>&,
                                        const Block<float>&, const Tolerance&,
                                        PairStats&);
extern template void ReduceBlock<double>(const BlockOps<double>&,
                                         const Block<double>&, const Tolerance&,
                                         PairStats&);

// Highway's target bit as the word for --simd.
constexpr std::string_view SimdName(int64_t target) {
  switch (target) {
    case HWY_AVX3:
      return "avx512";
    case HWY_AVX2:
      return "avx2";
    case HWY_SSE4:
      return "sse4";
    case HWY_NEON:
      return "neon";
    default:
      return "scalar";
  }
}

}  // namespace assay
