#include "kernel/axis_summer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace assay {
namespace {

struct Data {
  Shape shape;
  std::vector<float> golden, target;

  explicit Data(Shape s) : shape(std::move(s)) {
    const uint64_t n = ElementCount(shape).value_or(0);
    for (uint64_t i = 0; i < n; ++i) {
      golden.push_back(static_cast<float>(std::sin(static_cast<double>(i))));
      target.push_back(golden.back() * 1.5f + (i % 3 == 0 ? 1.0f : 0.0f));
    }
  }

  std::vector<AxisSums> Sums(size_t tile) const {
    AxisSummer summer(shape, 2, 4);
    for (size_t at = 0; at < golden.size(); at += tile) {
      summer.Add({.type = TileType::kF32,
                  .golden = golden.data() + at,
                  .target = target.data() + at,
                  .n = std::min(tile, golden.size() - at),
                  .base = at});
    }
    return std::move(summer).Finish();
  }

  // The plain way: every element of that index.
  SliceSums Plain(size_t axis, int64_t index) const {
    SliceSums s;
    for (uint64_t i = 0; i < golden.size(); ++i) {
      if (Coordinates(i, shape)[axis] != index) continue;
      const double g = golden[i], d = target[i] - g;
      s.gg += g * g;
      s.gd += g * d;
      s.dd += d * d;
      s.size += std::fabs(g);
      s.along += g < 0 ? -d : g > 0 ? d : 0;
      s.peak = std::max(s.peak, g * g);
    }
    return s;
  }
};

TEST(AxisSummer, EveryIndexOfEveryDimension) {
  for (const Shape& shape : {Shape{3, 4, 5}, Shape{2, 3, 2, 6}, Shape{6, 7}}) {
    const Data data(shape);
    for (const size_t tile : {1, 4, 7, 1000}) {
      const auto axes = data.Sums(tile);
      ASSERT_EQ(axes.size(), shape.size());
      for (const AxisSums& axis : axes) {
        for (size_t i = 0; i < axis.slices.size(); ++i) {
          const SliceSums &s = axis.slices[i],
                          p = data.Plain(axis.axis, static_cast<int64_t>(i));
          EXPECT_NEAR(s.gg, p.gg, 1e-9);
          EXPECT_NEAR(s.gd, p.gd, 1e-9);
          EXPECT_NEAR(s.dd, p.dd, 1e-9);
          EXPECT_NEAR(s.size, p.size, 1e-9);
          EXPECT_NEAR(s.along, p.along, 1e-9);
          EXPECT_EQ(s.peak, p.peak);
        }
      }
    }
  }
}

TEST(AxisSummer, DimensionsThatAreTooSmall) {
  EXPECT_FALSE(AxisSummer({}, 2, 4).wants());
  EXPECT_FALSE(AxisSummer({0, 5}, 2, 4).wants());
  EXPECT_FALSE(AxisSummer({100}, 2, 4).wants());  // one element each
  EXPECT_FALSE(AxisSummer({1, 1, 3}, 8, 1).wants());
  EXPECT_EQ(Data({1, 8, 1}).Sums(8).size(), 0u);
  EXPECT_EQ(Data({1, 8, 4}).Sums(8).size(), 2u);
}

}  // namespace
}  // namespace assay
