#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay {

// A signed count-sketch of a tensor: every element is added, with a sign, to
// one of 256 sums; which sum and sign depend on its index alone. The distance
// of two sketches is, within about 9 %, that of the tensors.
inline constexpr size_t kSketchBins = 256;

// Adds the elements that begin at `base`, a multiple of four; those that are
// not finite are left out.
void AddToSketch(const double* values, size_t n, uint64_t base,
                 std::span<double, kSketchBins> sums);

// |a - b| of the tensors behind two sketches. Both have kSketchBins sums.
double SketchDistance(std::span<const double> a, std::span<const double> b);

}  // namespace assay
