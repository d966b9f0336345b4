#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"

namespace assay {

// One element of both sides.
struct DetailElement {
  uint64_t index = 0;
  double my = 0, golden = 0, absolute = 0, relative = 0;
};

// The elements with the largest errors, found while they pass by.
class DetailTop {
 public:
  DetailTop(double DetailElement::*error, uint64_t most)
      : error_(error), most_(most) {}

  void Add(const DetailElement& element);

  // Calls its argument for all elements, from the first on.
  using Walk =
      std::function<Status(const std::function<void(const DetailElement&)>&)>;
  // Largest first. Where equal errors would not all fit, those that NumPy
  // takes; that needs all errors again, from `walk`.
  Result<std::vector<DetailElement>> Take(uint64_t count, const Walk& walk);

 private:
  double KeyOf(const DetailElement& element) const;
  bool IsAmbiguous() const;
  Result<std::vector<DetailElement>> TakeAsNumpy(uint64_t count,
                                                 const Walk& walk) const;

  double DetailElement::*error_;
  uint64_t most_;
  std::vector<DetailElement> heap_;  // the smallest first
  double rejected_ = -1;             // the largest key that did not fit
};

}  // namespace assay
