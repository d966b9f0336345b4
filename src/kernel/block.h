#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernel/lane_sums.h"
#include "kernel/reduce.h"

namespace assay {

// Elements per turn of the vector routines: both sides stay near.
inline constexpr size_t kTurn = 4096;

// Order-free facts about one block.
template <typename T>
struct Spread {
  using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
  T min_g, max_g, min_t, max_t;
  Bits bits_g = 0, bits_t = 0;
  uint64_t equal = 0, zero = 0;  // equal on both sides; golden is zero
};

// A part of a block that stays near while it is worked on.
template <typename T>
struct Turn {
  const T* golden;
  const T* target;
  size_t n;

  Turn Part(size_t at, size_t count) const {
    return {golden + at, target + at, count};
  }
};

// What is counted within a tolerance, as bits.
enum class Count : uint8_t { kNone = 0, kClose = 1, kWithin = 2, kAll = 3 };

constexpr bool Has(Count all, Count one) {
  return (static_cast<uint8_t>(all) & static_cast<uint8_t>(one)) != 0;
}
constexpr Count Without(Count all, Count some) {
  return static_cast<Count>(static_cast<uint8_t>(all) &
                            ~static_cast<uint8_t>(some));
}

// The vector routines of one instruction set, the first two for each Count.
template <typename T>
struct BlockOps {
  void (*sums[4])(const Turn<T>&, const Tolerance&, Spread<T>&, LaneSums&);
  void (*counts[4])(const Turn<T>&, const Tolerance&, LaneSums&);
  double (*dot)(const T* g, const T* t, size_t n);
  double (*centred_squares)(const T* x, size_t n, double mean);
  // The first element with this |g-t|, this |g-t|/|g| where g is not 0.
  size_t (*find_abs)(const T* g, const T* t, size_t n, double wanted);
  size_t (*find_rel)(const T* g, const T* t, size_t n, double wanted);
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

}  // namespace assay
