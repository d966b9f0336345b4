#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/shape.h"

namespace assay {

// Where the elements along one dimension stand, in elements: index i is at
// i / inner * outer_stride + i % inner * stride, or at table[i].
struct MapAxis {
  int64_t extent = 1;
  int64_t inner = 1;  // extent of a block; a plain dimension is one block
  int64_t stride = 0;
  int64_t outer_stride = 0;
  std::vector<int64_t> table;  // for what no formula says

  int64_t At(int64_t i) const {
    if (!table.empty()) return table[static_cast<size_t>(i)];
    return i / inner * outer_stride + i % inner * stride;
  }
};

MapAxis PlainAxis(int64_t extent, int64_t stride);
MapAxis BlockedAxis(int64_t extent, int64_t inner, int64_t stride,
                    int64_t outer_stride);

// Where each element of a row-major tensor stands among the stored ones. One
// map serves both ways: to read a device layout, and to write one.
struct ElementMap {
  std::vector<MapAxis> axes;  // outermost first
  uint64_t stored = 0;        // elements that are stored, padding included

  Shape shape() const;
  // Dimensions that follow each other in memory as one. The order of the
  // elements stays the same.
  ElementMap Merged() const;
};

// A row-major tensor with these strides.
ElementMap StridedMap(const Shape& shape, std::span<const int64_t> strides,
                      uint64_t stored);
// A row-major tensor as it stands: the map to change when something is cut or
// permuted.
ElementMap RowMajorMap(const Shape& shape);

}  // namespace assay
