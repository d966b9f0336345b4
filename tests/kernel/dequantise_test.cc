#include "kernel/dequantise.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

StoredView ViewOf(Shape shape, QuantGrid grid) {
  StoredView view;
  view.shape = std::move(shape);
  view.grid = std::make_shared<const QuantGrid>(std::move(grid));
  return view;
}

const QuantGrid kThree = {{{1, 0}, {10, 1}, {100, 2}}, 1};

// Elements [first, first + n) that all store 3, tile after tile.
template <typename T>
std::vector<T> Changed(const StoredView& view, uint64_t first, size_t n,
                       size_t tile) {
  Dequantiser dequantiser(view, first);
  std::vector<T> out(n, 3);
  for (size_t at = 0; at < n; at += tile) {
    dequantiser.Apply(sizeof(T) == 4 ? TileType::kF32 : TileType::kF64,
                      out.data() + at, std::min(tile, n - at));
  }
  return out;
}

TEST(Dequantise, OneScale) {
  const StoredView view = ViewOf({2, 3}, {{{0.5, -1}}, 1});
  EXPECT_EQ(Changed<float>(view, 0, 6, 4), std::vector<float>(6, 2));
  EXPECT_EQ(Changed<double>(view, 3, 3, 1), std::vector<double>(3, 2));
}

TEST(Dequantise, ScalesGoOnWhereTilesEnd) {
  const StoredView view = ViewOf({2, 3, 2}, kThree);
  const std::vector<double> kAll = {3, 3, 20, 20, 100, 100,
                                    3, 3, 20, 20, 100, 100};
  for (uint64_t first = 0; first < 12; ++first) {
    const std::vector<double> wanted(kAll.begin() + static_cast<long>(first),
                                     kAll.end());
    for (const size_t tile : {1, 2, 3, 5, 12}) {
      EXPECT_EQ(Changed<double>(view, first, 12 - first, tile), wanted)
          << first << " " << tile;
    }
  }
}

TEST(Dequantise, LastDimensionAndNegativeAxes) {
  QuantGrid grid = kThree;
  grid.axis = -1;
  const std::vector<float> kWanted = {3, 20, 100, 3, 20, 100};
  EXPECT_EQ(Changed<float>(ViewOf({2, 3}, grid), 0, 6, 4), kWanted);
  EXPECT_EQ(grid.AxisOf({2, 3}), 1u);
  EXPECT_EQ(grid.AxisOf({3, 2}), std::nullopt);
  EXPECT_EQ(grid.AxisOf({}), std::nullopt);
  EXPECT_EQ(kThree.AxisOf({3}), std::nullopt);
}

TEST(Dequantise, WithoutAGridNothingChanges) {
  StoredView view;
  view.shape = {2};
  EXPECT_EQ(Changed<float>(view, 0, 2, 2), std::vector<float>(2, 3));
}

}  // namespace
}  // namespace assay
