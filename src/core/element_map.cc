#include "core/element_map.h"

namespace assay {
namespace {

bool IsPlain(const MapAxis& axis) {
  return axis.table.empty() && axis.inner >= axis.extent;
}

}  // namespace

MapAxis PlainAxis(int64_t extent, int64_t stride) {
  return {.extent = extent,
          .inner = extent > 0 ? extent : 1,
          .stride = stride,
          .outer_stride = 0,
          .table = {}};
}

MapAxis BlockedAxis(int64_t extent, int64_t inner, int64_t stride,
                    int64_t outer_stride) {
  return {.extent = extent,
          .inner = inner,
          .stride = stride,
          .outer_stride = outer_stride,
          .table = {}};
}

Shape ElementMap::shape() const {
  Shape shape;
  for (const MapAxis& axis : axes) shape.push_back(axis.extent);
  return shape;
}

ElementMap ElementMap::Merged() const {
  ElementMap out{.axes = {}, .stored = stored};
  for (const MapAxis& axis : axes) {
    if (axis.extent == 1 && axis.At(0) == 0) continue;
    if (!out.axes.empty()) {
      MapAxis& last = out.axes.back();
      if (IsPlain(last) && IsPlain(axis) &&
          last.stride == axis.stride * axis.extent) {
        last = PlainAxis(last.extent * axis.extent, axis.stride);
        continue;
      }
    }
    out.axes.push_back(axis);
  }
  if (out.axes.empty()) out.axes.push_back(PlainAxis(1, 0));
  return out;
}

ElementMap StridedMap(const Shape& shape, std::span<const int64_t> strides,
                      uint64_t stored) {
  ElementMap map{.axes = {}, .stored = stored};
  for (size_t k = 0; k < shape.size(); ++k) {
    map.axes.push_back(PlainAxis(shape[k], strides[k]));
  }
  return map;
}

ElementMap RowMajorMap(const Shape& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;) {
    strides[i - 1] = strides[i] * shape[i];
  }
  return StridedMap(shape, strides, ElementCount(shape).value_or(0));
}

}  // namespace assay
