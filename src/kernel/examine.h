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
  double max_ulp = 0;  // in units in the last place of the coarser type
  // Both sides hold the same values, perhaps in another order.
  bool same_values = false;
};

// What to look for; each costs time.
struct ExamineWants {
  size_t worst = 0;     // how many of the worst elements
  bool spread = false;  // histogram and ULPs
  bool same_values = false;
};

class Examiner {
 public:
  Examiner(DType golden, DType target, const ExamineWants& wants)
      : golden_(golden), target_(target), wants_(wants) {}

  void Add(const TilePair& tile);
  Detail Finish() &&;

 private:
  template <typename T>
  void AddTile(const TilePair& tile, NumberKind golden, NumberKind target);
  template <typename T>
  void AddWorst(const TilePair& tile, NumberKind golden, NumberKind target);
  template <typename T>
  void AddSpread(const TilePair& tile, NumberKind golden, NumberKind target);
  void Keep(const ElementAt& element);

  DType golden_, target_;
  ExamineWants wants_;
  Detail detail_;
  uint64_t sum_golden_ = 0, sum_target_ = 0;  // order-free fingerprints
};

}  // namespace assay
