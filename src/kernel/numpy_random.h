#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "core/dtype.h"

namespace assay {

// The numbers of numpy.random.default_rng(seed): PCG64 (XSL-RR 128/64), seeded
// through a pool of four hashed words.
class NumpyRandom {
 public:
  explicit NumpyRandom(uint64_t seed);

  uint64_t Next64();
  // Halves of 64 bits, the low one first.
  uint32_t Next32();
  double Uniform() { return static_cast<double>(Next64() >> 11) * 0x1p-53; }

 private:
  void Step();

  unsigned __int128 state_ = 0, increment_ = 0;
  uint32_t kept_ = 0;
  bool has_kept_ = false;
};

// Random values of a tensor. Floats are uniform in [low, high) and then
// rounded to the type, integers uniform in low..high with both ends.
struct RandomRange {
  uint64_t seed = 42;
  double low = 0, high = 1;
};

// The range used where none is given: 0 to 1 for floats and bool, 0 to 100.
RandomRange DefaultRange(DType dtype, uint64_t seed);

// Fills `out` with as many values as fit: the same as
// default_rng(seed).uniform(low, high).astype(dtype) and
// .integers(low, high, dtype=dtype, endpoint=True).
Status FillRandom(DType dtype, const RandomRange& range,
                  std::span<std::byte> out);

}  // namespace assay
