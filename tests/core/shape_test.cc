#include "core/shape.h"

#include <gtest/gtest.h>

#include "core/view.h"

namespace assay {
namespace {

TEST(Shape, CountsElements) {
  const struct {
    Shape shape;
    std::optional<uint64_t> count;
  } kRows[] = {
      {{}, 1},
      {{5}, 5},
      {{2, 3, 4}, 24},
      {{0}, 0},
      {{3, 0, 5}, 0},
      {{-1}, std::nullopt},
      {{0, -1}, std::nullopt},
      {{INT64_MAX, 2}, UINT64_MAX - 1},
      {{INT64_MAX, 3}, std::nullopt},
      {{1ll << 32, 1ll << 32}, std::nullopt},
      {{1ll << 32, 1ll << 32, 0}, std::nullopt},  // before the zero is seen
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ElementCount(row.shape), row.count) << ToText(row.shape);
  }
}

TEST(Shape, CountsBytes) {
  using enum DType;
  const struct {
    DType type;
    uint64_t count;
    std::optional<uint64_t> bytes;
  } kRows[] = {
      {kF32, 0, 0},
      {kF32, 3, 12},
      {kC128, 3, 48},
      {kBool, 3, 3},
      {kI4, 3, 2},
      {kI4, 4, 2},
      {kU1, 1, 1},
      {kU1, 8, 1},
      {kU1, 9, 2},
      {kOpaque, 9, 0},
      {kU1, ~0ull, 1ull << 61},
      {kF64, 1ull << 58, std::nullopt},
      {kF64, (1ull << 58) - 1, (1ull << 61) - 8},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ByteCount(row.type, row.count), row.bytes) << Name(row.type);
  }
}

TEST(Shape, Parses) {
  const struct {
    std::string_view text;
    std::optional<Shape> shape;
  } kRows[] = {
      {"", Shape{}},
      {"[]", Shape{}},
      {"16", Shape{16}},
      {"16,16", Shape{16, 16}},
      {"16x8x4", Shape{16, 8, 4}},
      {"[1,8,4,4]", Shape{1, 8, 4, 4}},
      {"0,3", Shape{0, 3}},
      {"-1", std::nullopt},
      {"1,", std::nullopt},
      {",1", std::nullopt},
      {"1,,2", std::nullopt},
      {"1 2", std::nullopt},
      {"[1", std::nullopt},
      {"a", std::nullopt},
      {"9223372036854775808", std::nullopt},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ParseShape(row.text), row.shape) << row.text;
    if (!row.shape) continue;
    EXPECT_EQ(ParseShape(ToText(*row.shape)), row.shape);
  }
  EXPECT_EQ(ToText(Shape{1, 8}), "[1,8]");
  EXPECT_EQ(ViewStep{.shape = {6}}.Text(), "flatten to [6]");
}

TEST(Shape, ComparesButForOnes) {
  const struct {
    Shape a, b;
    bool same;
  } kRows[] = {
      {{}, {}, true},
      {{}, {1, 1}, true},
      {{1, 2, 3}, {2, 1, 3, 1}, true},
      {{2, 3}, {3, 2}, false},
      {{2, 3}, {2}, false},
      {{2, 3}, {6}, false},
      {{0}, {1}, false},
      {{1, 0}, {0}, true},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(SameButForOnes(row.a, row.b), row.same);
    EXPECT_EQ(SameButForOnes(row.b, row.a), row.same);
  }
}

TEST(Shape, FindsCoordinates) {
  const struct {
    uint64_t flat;
    Shape shape, at;
  } kRows[] = {
      {0, {}, {}},
      {4, {5}, {4}},
      {0, {2, 3, 4}, {0, 0, 0}},
      {23, {2, 3, 4}, {1, 2, 3}},
      {17, {2, 3, 4}, {1, 1, 1}},
      {0, {0, 3}, {0, 0}},  // a tensor without elements has no places
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Coordinates(row.flat, row.shape), row.at) << row.flat;
  }
}

}  // namespace
}  // namespace assay
