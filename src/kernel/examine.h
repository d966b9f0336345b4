#pragma once

#include <cstdint>
#include <vector>

#include "core/dtype.h"
#include "core/number.h"
#include "core/spread.h"
#include "kernel/pair_blocks.h"

namespace assay {

struct ElementAt {
  uint64_t index = 0;  // of the real
  Number golden, target;
  double error = 0;  // |t-g|; infinite where NaN/Inf stand on one side only
};

// What a second look at one pair finds.
struct Detail {
  std::vector<ElementAt> worst;     // largest error first, then lowest index
  std::vector<ElementAt> relative;  // the same by |t-g| / |g|
  Spread spread;
  // Both sides hold the same values, perhaps in another order.
  bool same_values = false;
};

// What to look for; each costs time.
struct ExamineWants {
  size_t worst = 0;     // how many of the worst elements
  bool spread = false;  // histogram and ULPs
  bool same_values = false;
  // How the values are spread, and where in the tensor the errors stand; also
  // the worst by relative error.
  bool places = false;
  double low = 0, high = 0;  // of both sides together
  uint64_t count = 0;        // reals of the tensor
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
  template <typename T>
  void AddPlaces(const TilePair& tile, NumberKind golden, NumberKind target);
  void Keep(const ElementAt& element, std::vector<ElementAt>& worst) const;

  DType golden_, target_;
  ExamineWants wants_;
  Detail detail_;
  uint64_t sum_golden_ = 0, sum_target_ = 0;  // order-free fingerprints
};

}  // namespace assay
