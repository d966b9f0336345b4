#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/pair_stats.h"

namespace assay {

// Elements per block. Blocks are folded and merged in index order: together
// with 8 virtual lanes per block (element i goes to lane i mod 8) this fixes
// every rounding, so no thread count or instruction set changes a digit.
inline constexpr size_t kBlock = 8192;

struct Tolerance {
  double atol = 1e-8;
  double rtol = 1e-5;
};

// The three reduce kernels of one instruction set. Each takes one block of at
// most kBlock elements that starts at element `base` of the tensor and merges
// what it sees into `stats`.
struct ReduceKernels {
  std::string_view name;  // as for --simd
  void (*f32)(const float* golden, const float* target, size_t n, uint64_t base,
              const Tolerance&, PairStats& stats);
  void (*f64)(const double* golden, const double* target, size_t n,
              uint64_t base, const Tolerance&, PairStats& stats);
  // How many elements have |g-t| > limit, or NaN in it.
  size_t (*count_above)(const float* golden, const float* target, size_t n,
                        double limit);
};

// 64-bit integers, exact; the unsigned forms hold the same bits as uint64_t.
struct IntegerTile {
  const int64_t* data;
  bool is_unsigned;
};
void ReduceIntegers(IntegerTile golden, IntegerTile target, size_t n,
                    uint64_t base, const Tolerance&, PairStats& stats);

// Instruction sets of this build that this CPU can run, best first.
std::span<const ReduceKernels* const> AvailableKernels();

}  // namespace assay
