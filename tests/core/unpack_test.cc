// Every layout against its index formula, written out element by element.
#include "core/unpack.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "core/pack.h"

namespace assay {
namespace {

using enum Layout;

int64_t Offset(const ElementMap& map, const Shape& at) {
  int64_t offset = 0;
  size_t k = 0;
  for (const MapAxis& axis : map.axes) offset += axis.At(at[k++]);
  return offset;
}

// Where the element stands that is number `i` in row-major order.
int64_t FlatOffset(const ElementMap& map, uint64_t i) {
  return Offset(map, Coordinates(i, map.shape()));
}

struct Case {
  Layout layout;
  Shape stored;
  Layout to;
  Shape shape;
  // Where element (coordinates in the order of `to`) stands.
  std::function<int64_t(const Shape&)> formula;
};

const Case kCases[] = {
    {kNC1HWC0,
     {2, 2, 3, 4, 16},
     kNCHW,
     {2, 20, 3, 4},
     [](const Shape& x) {
       return (((x[0] * 2 + x[1] / 16) * 3 + x[2]) * 4 + x[3]) * 16 + x[1] % 16;
     }},
    {kNC1HWC0,
     {2, 2, 3, 4, 16},
     kNHWC,
     {2, 3, 4, 20},
     [](const Shape& x) {
       return (((x[0] * 2 + x[3] / 16) * 3 + x[1]) * 4 + x[2]) * 16 + x[3] % 16;
     }},
    {kNC1HWC0,
     {2, 2, 3, 4, 16},
     kHWCN,
     {3, 4, 20, 2},
     [](const Shape& x) {
       return (((x[3] * 2 + x[2] / 16) * 3 + x[0]) * 4 + x[1]) * 16 + x[2] % 16;
     }},
    {kNC1HWC0C04,
     {1, 1, 3, 4, 4},
     kNCHW,
     {1, 3, 3, 4},
     [](const Shape& x) { return (x[2] * 4 + x[3]) * 4 + x[1]; }},
    {kNDC1HWC0,
     {2, 3, 2, 4, 5, 16},
     kNCDHW,
     {2, 17, 3, 4, 5},
     [](const Shape& x) {
       return ((((x[0] * 3 + x[2]) * 2 + x[1] / 16) * 4 + x[3]) * 5 + x[4]) *
                  16 +
              x[1] % 16;
     }},
    {kFractalNZ,
     {2, 3, 2, 16, 16},
     kND,
     {2, 17, 33},
     [](const Shape& x) {
       return (((x[0] * 3 + x[2] / 16) * 2 + x[1] / 16) * 16 + x[1] % 16) * 16 +
              x[2] % 16;
     }},
    {kFractalZ,
     {8, 2, 16, 16},
     kNCHW,
     {20, 18, 2, 2},
     [](const Shape& x) {
       return (((x[1] / 16 * 2 + x[2]) * 2 + x[3]) * 32 + x[0]) * 16 +
              x[1] % 16;
     }},
    {kFractalZ,
     {8, 2, 16, 16},
     kHWCN,
     {2, 2, 18, 20},
     [](const Shape& x) {
       return (((x[2] / 16 * 2 + x[0]) * 2 + x[1]) * 32 + x[3]) * 16 +
              x[2] % 16;
     }},
    {kFractalZ3D,
     {24, 1, 16, 16},
     kNCDHW,
     {5, 17, 3, 2, 2},
     [](const Shape& x) {
       return ((((x[2] * 2 + x[1] / 16) * 2 + x[3]) * 2 + x[4]) * 16 + x[0]) *
                  16 +
              x[1] % 16;
     }},
    {kC1HWNCoC0,
     {2, 2, 3, 1, 16, 16},
     kNCHW,
     {1, 20, 2, 3},
     [](const Shape& x) {
       return ((((x[1] / 16 * 2 + x[2]) * 3 + x[3]) * 1 + x[0]) * 16 +
               x[1] % 16) *
                  16 +
              x[1] % 16;
     }},
    {kNHWC,
     {2, 3, 4, 5},
     kHWCN,
     {3, 4, 5, 2},
     [](const Shape& x) { return ((x[3] * 3 + x[0]) * 4 + x[1]) * 5 + x[2]; }},
    {kHWCN,
     {2, 3, 4, 5},
     kNCHW,
     {5, 4, 2, 3},
     [](const Shape& x) { return ((x[2] * 3 + x[3]) * 4 + x[1]) * 5 + x[0]; }},
    {kNDHWC,
     {2, 3, 4, 5, 6},
     kNCDHW,
     {2, 6, 3, 4, 5},
     [](const Shape& x) {
       return (((x[0] * 3 + x[2]) * 4 + x[3]) * 5 + x[4]) * 6 + x[1];
     }},
};

TEST(Unpack, FollowsTheFormulas) {
  for (const Case& c : kCases) {
    const StoredTensor tensor{.shape = c.stored, .layout = c.layout};
    const auto unpacked = Unpack(tensor, c.to, c.shape);
    ASSERT_TRUE(unpacked) << unpacked.error().Text();
    EXPECT_EQ(unpacked->shape, c.shape);
    EXPECT_EQ(unpacked->map.stored, *ElementCount(c.stored));
    for (uint64_t i = 0; i < *ElementCount(c.shape); ++i) {
      const Shape at = Coordinates(i, c.shape);
      ASSERT_EQ(Offset(unpacked->map, at), c.formula(at))
          << Name(c.layout) << " to " << Name(c.to) << " at " << ToText(at);
    }
  }
}

TEST(Unpack, SaysWhatItDid) {
  const StoredTensor tensor{.shape = {1, 1, 4, 5, 16},
                            .layout = kNC1HWC0,
                            .original = Shape{1, 3, 4, 5}};
  const auto unpacked = Unpack(tensor, std::nullopt, std::nullopt);
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(unpacked->layout, kNCHW);
  EXPECT_EQ(unpacked->steps, (std::vector<std::string>{"unpack NC1HWC0 to NCHW",
                                                       "cut C 16 to 3"}));
}

TEST(Unpack, FindsTheOrderThatTheDumpDoesNotSay) {
  const struct {
    Layout layout;
    Shape stored, original;
    Layout order;
  } kOrders[] = {
      {kNC1HWC0, {1, 1, 4, 5, 16}, {1, 3, 4, 5}, kNCHW},
      {kNC1HWC0, {1, 1, 4, 5, 16}, {1, 4, 5, 3}, kNHWC},
      {kNC1HWC0, {2, 1, 4, 5, 16}, {4, 5, 3, 2}, kHWCN},
      {kFractalZ, {4, 1, 16, 16}, {5, 3, 2, 2}, kNCHW},
      {kFractalZ, {6, 1, 16, 16}, {2, 3, 4, 5}, kHWCN},
      {kNDC1HWC0, {1, 2, 1, 4, 5, 16}, {1, 3, 2, 4, 5}, kNCDHW},
      {kNDC1HWC0, {1, 2, 1, 4, 5, 16}, {1, 2, 4, 5, 3}, kNDHWC},
  };
  for (const auto& c : kOrders) {
    const StoredTensor tensor{
        .shape = c.stored, .layout = c.layout, .original = c.original};
    const auto unpacked = Unpack(tensor, std::nullopt, std::nullopt);
    ASSERT_TRUE(unpacked) << unpacked.error().Text();
    EXPECT_EQ(Name(unpacked->layout), Name(c.order)) << ToText(c.original);
    EXPECT_EQ(unpacked->shape, c.original);
  }
}

// The shape wanted is turned with the dimensions.
TEST(Unpack, TurnsTheOriginalShape) {
  const StoredTensor tensor{
      .shape = {2, 3, 4, 5}, .layout = kNCHW, .original = Shape{2, 3, 4, 5}};
  const auto unpacked = Unpack(tensor, kNHWC, std::nullopt);
  ASSERT_TRUE(unpacked);
  EXPECT_EQ(unpacked->shape, (Shape{2, 4, 5, 3}));
}

TEST(Unpack, RefusesWhatDoesNotFit) {
  const struct {
    StoredTensor tensor;
    std::optional<Layout> to;
    std::optional<Shape> shape;
    std::string what;
  } kBad[] = {
      {{.shape = {1, 4, 5, 16}, .layout = kNC1HWC0},
       kNCHW,
       {},
       "NC1HWC0 of shape [1,4,5,16] needs 5 dimensions"},
      {{.shape = {1, 1, 4, 5, 16}, .layout = kNC1HWC0},
       kNCHW,
       Shape{1, 17, 4, 5},
       "NC1HWC0 of shape [1,1,4,5,16] has 16 C, not 17"},
      {{.shape = {4, 1, 16, 16}, .layout = kFractalZ},
       kNCHW,
       {},
       "to unpack FRACTAL_Z takes the shape before packing"},
      {{.shape = {16, 16}, .layout = kFractalNZ},
       kND,
       {},
       "FRACTAL_NZ of shape [16,16] needs 4 dimensions or more"},
      {{.shape = {2, 2}, .layout = kFractalZ3DTranspose},
       kNCHW,
       {},
       "FRACTAL_Z_3D_TRANSPOSE cannot be unpacked"},
      {{.shape = {1, 1, 4, 5, 16}, .layout = kNC1HWC0},
       kFractalNZ,
       {},
       "FRACTAL_NZ is a device layout; only files are written in it"},
      {{.shape = {4, 1, 16, 16}, .layout = kFractalZ3D, .groups = 2},
       kNCDHW,
       Shape{4, 3, 1, 2, 2},
       "where FRACTAL_Z_3D keeps 2 groups is not known"},
      {{.shape = {4, 1, 16, 16}, .layout = kFractalZ, .groups = 2},
       kNHWC,
       Shape{5, 2, 2, 3},
       "FRACTAL_Z [4,1,16,16] does not hold [5,2,2,3] in 2 groups"},
  };
  for (const auto& c : kBad) {
    const auto unpacked = Unpack(c.tensor, c.to, c.shape);
    ASSERT_FALSE(unpacked) << c.what;
    EXPECT_EQ(unpacked.error().what, c.what);
  }
}

// Groups that share cubes, in every order: each element at the place of the
// rule, and no two in one place.
TEST(Pack, GroupsOfWeights) {
  for (const Layout order : {kNCHW, kNHWC, kHWCN, kCHWN}) {
    for (const int groups : {2, 3, 8, 20}) {
      const Shape nchw = {groups * 4, 5, 2, 3};
      const std::string_view letters = Dimensions(order);
      Shape shape;
      for (const char c : letters) {
        shape.push_back(nchw[std::string_view("NCHW").find(c)]);
      }
      const auto packed = Pack(DType::kF16, shape, order, kFractalZ, groups);
      ASSERT_TRUE(packed) << packed.error().Text();
      std::set<int64_t> taken;
      for (uint64_t i = 0; i < *ElementCount(shape); ++i) {
        const Shape at = Coordinates(i, shape);
        const auto x = [&](char c) { return at[letters.find(c)]; };
        // E groups of 4 rows and 5 channels share a cube.
        const int64_t e = std::min(groups, 16), c1 = (e * 5 + 15) / 16;
        const int64_t g = x('N') / 4, c = g % e * 5 + x('C');
        const int64_t plane = (g / e * c1 + c / 16) * 6 + x('H') * 3 + x('W');
        const int64_t rows = packed->tensor.shape[1] * 16;
        const int64_t row = g % e * 4 + x('N') % 4;
        const int64_t want = (plane * rows + row) * 16 + c % 16;
        ASSERT_EQ(FlatOffset(packed->map, i), want) << Name(order) << i;
        ASSERT_TRUE(taken.insert(want).second);
      }
    }
  }
}

TEST(Pack, ShapesOfTheDevice) {
  const struct {
    DType dtype;
    Shape shape;
    Layout to, from;
    int groups;
    Shape packed;
  } kPacked[] = {
      {DType::kF16, {1, 3, 4, 5}, kNC1HWC0, kNCHW, 1, {1, 1, 4, 5, 16}},
      {DType::kI8, {1, 40, 4, 5}, kNC1HWC0, kNCHW, 1, {1, 2, 4, 5, 32}},
      {DType::kI4, {1, 40, 4, 5}, kNC1HWC0, kNCHW, 1, {1, 1, 4, 5, 64}},
      {DType::kBool, {1, 4, 5, 40}, kNC1HWC0, kNHWC, 1, {1, 3, 4, 5, 16}},
      {DType::kF32, {1, 3, 4, 5}, kNC1HWC0C04, kNCHW, 1, {1, 1, 4, 5, 4}},
      {DType::kF16, {20, 30}, kFractalNZ, kND, 1, {2, 2, 16, 16}},
      {DType::kF16, {30}, kFractalNZ, kND, 1, {2, 1, 16, 16}},
      {DType::kF16, {8, 4, 1, 2}, kFractalZ, kNCHW, 2, {2, 1, 16, 16}},
      {DType::kF16, {2, 3, 4, 5}, kFractalZ, kNCHW, 1, {20, 1, 16, 16}},
  };
  for (const auto& c : kPacked) {
    const auto packed = Pack(c.dtype, c.shape, c.from, c.to, c.groups);
    ASSERT_TRUE(packed) << packed.error().Text();
    EXPECT_EQ(packed->tensor.shape, c.packed) << Name(c.to);
  }
}

}  // namespace
}  // namespace assay
