#include "core/sketch.h"

#include <cmath>

namespace assay {
namespace {

// Records are kept and compared years later: never change it.
constexpr uint64_t kSeed = 0x61737361792d7631;

// The finaliser of SplitMix64: 64 bits that look random.
uint64_t Mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

}  // namespace

void AddToSketch(const double* values, size_t n, uint64_t base,
                 std::span<double, kSketchBins> sums) {
  uint64_t bits = 0;
  for (size_t i = 0; i < n; ++i) {
    // Sixteen bits for each element: eight for the bin, one for the sign.
    const uint64_t at = base + i;
    bits = at % 4 == 0 ? Mix(at / 4 + kSeed) : bits >> 16;
    if (!std::isfinite(values[i])) continue;
    sums[bits & 0xff] += (bits & 0x100) != 0 ? -values[i] : values[i];
  }
}

double SketchDistance(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (size_t i = 0; i < kSketchBins; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

}  // namespace assay
