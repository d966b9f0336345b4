#pragma once

#include <cstdint>

#include "core/dtype.h"

namespace assay {

// abs(my - golden) and that / abs(golden), as NumPy computes them on two
// arrays: in the smallest type that holds both, where integers wrap around.
class NumpyErrors {
 public:
  NumpyErrors(DType my, DType golden);

  double Absolute(double my, double golden) const;
  double Absolute(int64_t my, int64_t golden) const;
  double Relative(double absolute, double golden) const;

 private:
  double Rounded(double value) const;

  int bits_ = 32;
  bool integer_ = false, unsigned_ = false;
};

}  // namespace assay
