#include "core/fractal_z.h"

#include <algorithm>
#include <numeric>

namespace assay {
namespace {

constexpr int64_t kCube = 16;

// Extents of the weights of all groups: rows N = groups x rows of a group.
struct Weights {
  int64_t n, c, h, w;
};

// Row and channel of element (n, c) in the cubes, as an element offset.
class Cubes {
 public:
  Cubes(const Weights& x, int64_t groups, const Shape& stored)
      : rows_(x.n / groups),
        channels_(x.c),
        c0_(stored[3]),
        plane_(x.h * x.w * stored[1] * stored[2] * stored[3]),
        together_(GroupsTogether(x.c, rows_, c0_, groups)),
        c1_((together_ * x.c + c0_ - 1) / c0_) {}

  int64_t At(int64_t n, int64_t c) const {
    const int64_t group = n / rows_;
    const int64_t channel = group % together_ * channels_ + c;
    const int64_t row = group % together_ * rows_ + n % rows_;
    return (group / together_ * c1_ + channel / c0_) * plane_ + row * c0_ +
           channel % c0_;
  }
  // Sets of cubes times blocks of channels: the first stored extent / (H*W).
  int64_t Blocks(int64_t groups) const {
    return (groups + together_ - 1) / together_ * c1_;
  }
  int64_t RowsTogether() const { return together_ * rows_; }

 private:
  int64_t rows_, channels_, c0_, plane_, together_, c1_;
};

}  // namespace

int64_t GroupsTogether(int64_t channels, int64_t rows, int64_t c0,
                       int64_t groups) {
  const int64_t by_channels = std::lcm(channels, c0) / channels;
  const int64_t by_rows = std::lcm(rows, kCube) / rows;
  return std::min(std::lcm(by_channels, by_rows), groups);
}

Result<ElementMap> GroupedWeights(const StoredTensor& tensor, Layout to,
                                  const Shape& shape) {
  const bool nchw = to == Layout::kNCHW;
  if (!nchw && to != Layout::kHWCN) {
    return Unsupported("grouped FRACTAL_Z unpacks to NCHW or HWCN, not {}",
                       Name(to))
        .Of(tensor.name);
  }
  const Weights x = nchw ? Weights{shape[0], shape[1], shape[2], shape[3]}
                         : Weights{shape[3], shape[2], shape[0], shape[1]};
  const Shape& s = tensor.shape;
  const auto no_fit = [&] {
    return Corrupt("FRACTAL_Z {} does not hold {} in {} groups", ToText(s),
                   ToText(shape), tensor.groups)
        .Of(tensor.name);
  };
  if (s.size() != 4 || x.n <= 0 || x.c <= 0 || x.n % tensor.groups != 0) {
    return no_fit();
  }
  const Cubes cubes(x, tensor.groups, s);
  if (s[3] <= 0 || cubes.Blocks(tensor.groups) * x.h * x.w > s[0] ||
      cubes.RowsTogether() > s[1] * s[2]) {
    return no_fit();
  }
  MapAxis both{.extent = x.n * x.c,
               .inner = 1,
               .stride = 0,
               .outer_stride = 0,
               .table = {}};
  const auto count = static_cast<size_t>(both.extent);
  both.table.reserve(count);
  const int64_t outer = nchw ? x.n : x.c, inner = nchw ? x.c : x.n;
  for (int64_t i = 0; i < outer; ++i) {
    for (int64_t j = 0; j < inner; ++j) {
      both.table.push_back(nchw ? cubes.At(i, j) : cubes.At(j, i));
    }
  }
  const int64_t cell = s[1] * s[2] * s[3];
  const MapAxis h = PlainAxis(x.h, x.w * cell), w = PlainAxis(x.w, cell);
  ElementMap map;
  map.axes = nchw ? std::vector<MapAxis>{both, h, w}
                  : std::vector<MapAxis>{h, w, both};
  return map;
}

}  // namespace assay
