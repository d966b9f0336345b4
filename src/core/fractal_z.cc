#include "core/fractal_z.h"

#include <algorithm>
#include <numeric>

#include "core/layout_axes.h"

namespace assay {
namespace {

constexpr int64_t kCube = 16;

// Extents of the weights of all groups: rows N = groups x rows of a group.
struct Weights {
  Weights(const Shape& shape, std::string_view letters)
      : n(ExtentOf(shape, letters, 'N')),
        c(ExtentOf(shape, letters, 'C')),
        h(ExtentOf(shape, letters, 'H')),
        w(ExtentOf(shape, letters, 'W')) {}

  int64_t n, c, h, w;
};

// Row and channel of element (n, c) in the cubes, as an element offset.
class Cubes {
 public:
  Cubes(const Weights& x, int64_t groups, const Shape& stored)
      : rows_(x.n / groups),
        channels_(x.c),
        c0_(stored[3]),
        cell_(stored[1] * stored[2] * stored[3]),
        plane_(x.h * x.w * cell_),
        together_(GroupsTogether(x.c, rows_, c0_, groups)),
        c1_((together_ * x.c + c0_ - 1) / c0_) {}

  int64_t At(int64_t n, int64_t c) const {
    const int64_t group = n / rows_;
    const int64_t channel = group % together_ * channels_ + c;
    const int64_t row = group % together_ * rows_ + n % rows_;
    return (group / together_ * c1_ + channel / c0_) * plane_ + row * c0_ +
           channel % c0_;
  }
  // Rows and channels stand in a cube, which a place of the kernel has for
  // each of its blocks of channels.
  int64_t cell() const { return cell_; }
  // Sets of cubes times blocks of channels: the first stored extent / (H*W).
  int64_t Blocks(int64_t groups) const {
    return (groups + together_ - 1) / together_ * c1_;
  }
  int64_t RowsTogether() const { return together_ * rows_; }

 private:
  int64_t rows_, channels_, c0_, cell_, plane_, together_, c1_;
};

// N and C, with the `places` of the kernel that stand between them, as one
// dimension: a row's group says where it stands, and its channels too.
MapAxis TableOf(const Weights& x, const Cubes& cubes, bool rows_first,
                int64_t places) {
  const int64_t outer = rows_first ? x.n : x.c, inner = rows_first ? x.c : x.n;
  MapAxis axis;
  axis.extent = outer * places * inner;
  axis.table.reserve(static_cast<size_t>(axis.extent));
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t place = 0; place < places; ++place) {
      for (int64_t j = 0; j < inner; ++j) {
        const int64_t at = rows_first ? cubes.At(i, j) : cubes.At(j, i);
        axis.table.push_back(at + place * cubes.cell());
      }
    }
  }
  return axis;
}

}  // namespace

int64_t GroupsTogether(int64_t channels, int64_t rows, int64_t c0,
                       int64_t groups) {
  const int64_t by_channels = std::lcm(channels, c0) / channels;
  const int64_t by_rows = std::lcm(rows, kCube) / rows;
  return std::min(std::lcm(by_channels, by_rows), groups);
}

bool HoldsGroups(const StoredTensor& tensor, const Shape& shape,
                 std::string_view letters) {
  const Shape& s = tensor.shape;
  const Weights x(shape, letters);
  if (letters.size() != 4 || s.size() != 4 || s[3] <= 0 || x.n <= 0 ||
      x.c <= 0 || x.n % tensor.groups != 0) {
    return false;
  }
  const Cubes cubes(x, tensor.groups, s);
  return cubes.Blocks(tensor.groups) * x.h * x.w == s[0] &&
         cubes.RowsTogether() <= s[1] * s[2];
}

Result<ElementMap> GroupedWeights(const StoredTensor& tensor,
                                  const Shape& shape,
                                  std::string_view letters) {
  if (!HoldsGroups(tensor, shape, letters)) {
    return Corrupt("FRACTAL_Z {} does not hold {} in {} groups",
                   ToText(tensor.shape), ToText(shape), tensor.groups)
        .Of(tensor.name);
  }
  const Weights x(shape, letters);
  const Cubes cubes(x, tensor.groups, tensor.shape);
  const size_t n = letters.find('N'), c = letters.find('C');
  const auto [first, last] = std::minmax({n, c});
  ElementMap map;
  for (size_t k = 0; k < letters.size(); ++k) {
    if (k == first) {
      const int64_t places = last - first > 1 ? x.h * x.w : 1;
      map.axes.push_back(TableOf(x, cubes, n == first, places));
      k = last;
    } else {
      const int64_t step = letters[k] == 'W' ? 1 : x.w;
      map.axes.push_back(PlainAxis(shape[k], step * cubes.cell()));
    }
  }
  return map;
}

}  // namespace assay
