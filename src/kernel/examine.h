#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/number.h"
#include "kernel/pair_blocks.h"

namespace assay {

// Counts by order of magnitude: bin k holds 10^(k+kFirst) <= |x| < 10 times
// that; the ends take what lies beyond.
struct LogHistogram {
  static constexpr int kFirst = -20, kLast = 20;
  uint64_t zero = 0, not_finite = 0;
  std::array<uint64_t, kLast - kFirst + 1> bins{};

  void Add(double x);
};

struct ElementAt {
  uint64_t index = 0;  // of the real
  Number golden, target;
  double error = 0;  // |t-g|; infinite where NaN/Inf stand on one side only
};

// What a second look at one pair finds.
struct Detail {
  std::vector<ElementAt> worst;  // largest error first, then lowest index
  LogHistogram errors;           // of |t-g|
  double max_ulp = 0;            // in units of the last place of `ulp_type`
  uint64_t sum_hash_golden = 0, sum_hash_target = 0;  // order-free fingerprints

  bool SameValues() const { return sum_hash_golden == sum_hash_target; }
};

class Examiner {
 public:
  // Keeps the `worst` worst elements; counts ULPs of the coarser type.
  Examiner(DType golden, DType target, size_t worst);

  void Add(const TilePair& tile);
  Detail Finish() &&;

 private:
  template <typename T>
  void AddTile(const TilePair& tile, NumberKind golden, NumberKind target);
  void Keep(const ElementAt& element);

  DType golden_, target_;
  size_t limit_;
  Detail detail_;
};

}  // namespace assay
