#include "sources/slice_join.h"

#include <gtest/gtest.h>

namespace assay {
namespace {

StoredTensor Part(std::string name, Shape shape,
                  std::optional<Shape> original = {},
                  DType dtype = DType::kF32) {
  return {.name = std::move(name),
          .dtype = dtype,
          .shape = std::move(shape),
          .original = std::move(original),
          .extent = {.offset = 10, .length = 20}};
}

AscendHeader Header(std::vector<std::vector<int64_t>> cuts) {
  AscendHeader header;
  header.slices =
      AscendSlices{.automatic = true, .output_cuts = std::move(cuts)};
  return header;
}

// "output:0 [5,4] axis 0 of 2 from 0 original [5,4]"
std::string Told(const JoinedTensor& t) {
  if (t.error) return fmt::format("{} !{}", t.stored.name, t.error->what);
  std::string text =
      fmt::format("{} {}", t.stored.name, ToText(t.stored.shape));
  if (t.join) {
    text += fmt::format(" axis {} of {}", t.join->axis, t.join->parts.size());
    EXPECT_EQ(t.stored.extent.length, 0u);
  }
  if (t.stored.original) {
    text += " original " + ToText(*t.stored.original);
  }
  return text;
}

TEST(SliceJoin, CutAxis) {
  const AscendSlices slices{.output_cuts = {{1, 1}, {1, 3, 2}, {}, {0}}};
  EXPECT_EQ(CutAxis(slices, 0), std::nullopt);
  EXPECT_EQ(CutAxis(slices, 1), 1u);
  EXPECT_EQ(CutAxis(slices, 2), std::nullopt);
  EXPECT_EQ(CutAxis(slices, 3), 0u);
  EXPECT_EQ(CutAxis(slices, 9), std::nullopt);
  EXPECT_TRUE(AnyCut(slices));
  EXPECT_FALSE(AnyCut({.output_cuts = {{1, 1}, {}}}));
  EXPECT_FALSE(AnyCut({}));
}

TEST(SliceJoin, CutOutputsAreJoinedTheRestIsTheFirst) {
  const auto joined =
      JoinSlices({{7,
                   {Part("input:0", {3, 4}), Part("output:0", {3, 4}),
                    Part("output:1", {2})}},
                  {8,
                   {Part("input:0", {2, 4}), Part("output:0", {2, 4}),
                    Part("output:1", {2})}}},
                 Header({{2, 1}, {1}}));
  ASSERT_EQ(joined.size(), 3u);
  EXPECT_EQ(Told(joined[0]), "input:0 [3,4]");
  EXPECT_EQ(Told(joined[1]), "output:0 [5,4] axis 0 of 2");
  EXPECT_EQ(Told(joined[2]), "output:1 [2]");
  EXPECT_EQ(joined[1].file, 7u);
  EXPECT_EQ(joined[1].join->parts[1].file, 8u);
  EXPECT_EQ(joined[1].join->parts[1].stored.extent.length, 20u);
}

TEST(SliceJoin, TheShapeBeforeTheDeviceLayout) {
  const struct {
    std::vector<int64_t> cuts;
    Shape shape, original, header_slice, header_original;
    std::string told;
  } kRows[] = {
      // A thread's header knows the whole.
      {{2, 1},
       {2, 4},
       {},
       {2, 4},
       {4, 3},
       "output:0 [4,4] axis 0 of 2 original [4,3]"},
      // Cut by hand: each slice has its part of it.
      {{2, 1},
       {2, 4},
       {2, 3},
       {},
       {},
       "output:0 [4,4] axis 0 of 2 original [4,3]"},
      {{1, 2},
       {2, 4},
       {2, 3},
       {},
       {},
       "output:0 [2,8] axis 1 of 2 original [2,6]"},
      {{2, 1, 1, 1, 1},
       {1, 1, 4, 4, 16},
       {1, 8, 4, 4},
       {},
       {},
       "output:0 [2,1,4,4,16] axis 0 of 2 original [2,8,4,4]"},
      // Which dimension of the original it is nobody says.
      {{1, 2, 1, 1, 1},
       {1, 1, 4, 4, 16},
       {1, 8, 4, 4},
       {},
       {},
       "output:0 [1,2,4,4,16] axis 1 of 2"},
  };
  for (const auto& row : kRows) {
    AscendHeader header = Header({row.cuts});
    AscendTensor& described = header.tensors.emplace_back();
    if (!row.header_slice.empty()) described.slice = row.header_slice;
    described.original = row.header_original;
    const std::optional<Shape> original =
        row.original.empty() ? std::nullopt : std::optional(row.original);
    const auto joined =
        JoinSlices({{0, {Part("output:0", row.shape, original)}},
                    {1, {Part("output:0", row.shape, original)}}},
                   header);
    EXPECT_EQ(Told(joined.at(0)), row.told);
  }
}

TEST(SliceJoin, TheLayoutTellsWhichDimensionWasCut) {
  const struct {
    Layout layout;
    size_t axis;
    Shape shape, first, second;
    std::string original;  // of the whole
  } kRows[] = {
      // Rows of an image; channels in whole blocks.
      {Layout::kNC1HWC0,
       2,
       {1, 2, 3, 5, 16},
       {1, 20, 3, 5},
       {1, 20, 3, 5},
       "[1,20,6,5]"},
      {Layout::kNC1HWC0,
       1,
       {1, 1, 6, 5, 16},
       {1, 16, 6, 5},
       {1, 4, 6, 5},
       "[1,20,6,5]"},
      {Layout::kNC1HWC0,
       2,
       {1, 2, 3, 5, 16},
       {1, 3, 5, 20},
       {1, 3, 5, 20},
       "[1,6,5,20]"},
      {Layout::kFractalNZ, 1, {3, 1, 16, 16}, {16, 33}, {9, 33}, "[25,33]"},
      {Layout::kFractalNZ, 0, {1, 2, 16, 16}, {20, 16}, {20, 5}, "[20,21]"},
      // Padding in the middle has no place in the plain shape.
      {Layout::kNC1HWC0, 1, {1, 1, 6, 5, 16}, {1, 10, 6, 5}, {1, 10, 6, 5}, ""},
      {Layout::kFractalNZ, 1, {3, 1, 16, 16}, {15, 33}, {16, 33}, ""},
      {Layout::kNC1HWC0, 2, {1, 2, 3, 5, 16}, {1, 20, 3, 5}, {1, 20, 4, 5}, ""},
      {Layout::kNC1HWC0, 2, {1, 2, 3, 5, 16}, {1, 20, 3, 5}, {20, 3, 5}, ""},
  };
  for (const auto& row : kRows) {
    std::vector<int64_t> cuts(row.axis + 1, 1);
    cuts[row.axis] = 2;
    std::vector<Slice> slices;
    for (const Shape& original : {row.first, row.second}) {
      StoredTensor part = Part("output:0", row.shape, original);
      part.layout = row.layout;
      slices.push_back({static_cast<uint32_t>(slices.size()), {part}});
    }
    const auto joined = JoinSlices(std::move(slices), Header({cuts}));
    ASSERT_FALSE(joined.at(0).error) << joined[0].error->what;
    const auto& original = joined[0].stored.original;
    EXPECT_EQ(original ? ToText(*original) : "", row.original);
  }
}

TEST(SliceJoin, SlicesThatDoNotFit) {
  const struct {
    std::vector<StoredTensor> second;
    std::string told;
  } kRows[] = {
      {{}, "output:0 !a slice is without it"},
      {{Part("output:0", {2, 5})},
       "output:0 !a slice [2,5] does not go behind one of [3,4]"},
      {{Part("output:0", {2})},
       "output:0 !a slice [2] does not go behind one of [3,4]"},
      {{Part("output:0", {2, 4}, {}, DType::kF16)},
       "output:0 !one slice is f32 ND, another f16 ND"},
  };
  for (const auto& row : kRows) {
    const auto joined = JoinSlices(
        {{0, {Part("output:0", {3, 4})}}, {1, row.second}}, Header({{2, 1}}));
    ASSERT_EQ(joined.size(), 1u);
    EXPECT_EQ(Told(joined[0]), row.told);
    EXPECT_EQ(joined[0].stored.dtype, DType::kOpaque);
  }
  const int64_t huge = int64_t{1} << 62;
  const auto too_large = JoinSlices(
      {{0, {Part("output:0", {huge, 1})}}, {1, {Part("output:0", {huge, 1})}}},
      Header({{2, 1}}));
  EXPECT_TRUE(too_large.at(0).error);
  const auto beyond =
      JoinSlices({{0, {Part("output:0", {4})}}, {1, {Part("output:0", {4})}}},
                 Header({{1, 1, 2}}));
  EXPECT_TRUE(beyond.at(0).error) << "cut along a dimension it does not have";
}

}  // namespace
}  // namespace assay
