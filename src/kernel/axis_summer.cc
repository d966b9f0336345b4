#include "kernel/axis_summer.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

void Take(double golden, double target, SliceSums& sums) {
  const double d = target - golden;
  sums.gg += golden * golden;
  sums.gd += golden * d;
  sums.dd += d * d;
  sums.size += std::fabs(golden);
  sums.along += golden < 0 ? -d : golden > 0 ? d : 0;
  sums.peak = std::max(sums.peak, golden * golden);
}

void Merge(const SliceSums& more, SliceSums& sums) {
  sums.gg += more.gg;
  sums.gd += more.gd;
  sums.dd += more.dd;
  sums.size += more.size;
  sums.along += more.along;
  sums.peak = std::max(sums.peak, more.peak);
}

}  // namespace

AxisSummer::AxisSummer(const Shape& shape, uint64_t least_indices,
                       uint64_t least_elements) {
  const uint64_t count = ElementCount(shape).value_or(0);
  if (count == 0 || shape.empty()) return;
  line_ = static_cast<size_t>(shape.back());
  uint64_t below = count;  // elements per index of the dimension
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    const auto extent = static_cast<uint64_t>(shape[axis]);
    below /= extent;
    if (extent < least_indices || count / extent < least_elements) continue;
    axes_.push_back({axis, std::vector<SliceSums>(extent)});
    below_.push_back(below / line_);
  }
  last_ = !axes_.empty() && axes_.back().axis + 1 == shape.size();
}

// A line has one index in every dimension but the last.
void AxisSummer::AddToOuter(uint64_t line, const SliceSums& sums) {
  const size_t outer = axes_.size() - (last_ ? 1 : 0);
  for (size_t i = 0; i < outer; ++i) {
    auto& slices = axes_[i].slices;
    Merge(sums, slices[line / below_[i] % slices.size()]);
  }
}

template <typename T>
void AxisSummer::AddTile(const TilePair& tile) {
  const T *golden = tile.Golden<T>(), *target = tile.Target<T>();
  for (size_t at = 0; at < tile.n;) {
    const uint64_t place = tile.base + at;
    const size_t first = static_cast<size_t>(place % line_);
    const size_t many = std::min(line_ - first, tile.n - at);
    SliceSums sums;
    for (size_t i = 0; i < many; ++i) {
      const double g = golden[at + i], t = target[at + i];
      Take(g, t, sums);
      if (last_) Take(g, t, axes_.back().slices[first + i]);
    }
    AddToOuter(place / line_, sums);
    at += many;
  }
}

void AxisSummer::Add(const TilePair& tile) {
  if (axes_.empty()) return;
  if (tile.type == TileType::kF32) AddTile<float>(tile);
  if (tile.type == TileType::kF64) AddTile<double>(tile);
}

}  // namespace assay
