#include "kernel/dequantise.h"

#include <algorithm>

namespace assay {
namespace {

// Elements between one index of the grid's axis and the next.
uint64_t RunOf(const StoredView& view) {
  const auto axis = view.grid->AxisOf(view.shape);
  if (!view.grid->PerAxis() || !axis) return ~uint64_t{0};
  const std::span<const int64_t> inner =
      std::span(view.shape).subspan(*axis + 1);
  return std::max<uint64_t>(ElementCount(inner).value_or(1), 1);
}

}  // namespace

Dequantiser::Dequantiser(const StoredView& view, uint64_t first) {
  if (!view.grid) return;
  grid_ = view.grid;
  run_ = RunOf(view);
  left_ = run_ - first % run_;
  scale_ = first / run_ % grid_->scales.size();
}

template <typename T>
void Dequantiser::Change(T* values, size_t n) {
  while (n > 0) {
    const auto many = static_cast<size_t>(std::min<uint64_t>(n, left_));
    const QuantGrid::Scale& scale = grid_->scales[scale_];
    const T step = static_cast<T>(scale.step),
            zero = static_cast<T>(scale.zero);
    for (size_t i = 0; i < many; ++i) values[i] = (values[i] - zero) * step;
    values += many;
    n -= many;
    left_ -= many;
    if (left_ > 0) continue;
    left_ = run_;
    scale_ = scale_ + 1 < grid_->scales.size() ? scale_ + 1 : 0;
  }
}

void Dequantiser::Change(TileType type, void* tile, size_t n) {
  if (type == TileType::kF32) {
    Change(static_cast<float*>(tile), n);
  } else if (type == TileType::kF64) {
    Change(static_cast<double*>(tile), n);
  }
}

}  // namespace assay
