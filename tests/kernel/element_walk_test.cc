#include "kernel/element_walk.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/tensor.h"

namespace assay {
namespace {

ElementMap Columns(const Shape& shape) {
  return StridedMap(shape, ColumnMajorStrides(shape), 0);
}

// Element with row-major number r holds r, stored column-major.
std::vector<uint32_t> Numbered(const Shape& shape) {
  const uint64_t count = *ElementCount(shape);
  std::vector<uint32_t> stored(count);
  for (uint64_t r = 0; r < count; ++r) {
    const Shape at = Coordinates(r, shape);
    uint64_t place = 0, stride = 1;
    for (size_t k = 0; k < shape.size(); ++k) {
      place += static_cast<uint64_t>(at[k]) * stride;
      stride *= static_cast<uint64_t>(shape[k]);
    }
    stored[place] = static_cast<uint32_t>(r);
  }
  return stored;
}

std::vector<uint32_t> Gathered(const std::vector<uint32_t>& stored,
                               const Shape& shape, uint64_t first,
                               size_t step) {
  ElementWalk walk(Columns(shape), 32, first);
  std::vector<uint32_t> out(stored.size() - first);
  for (size_t at = 0; at < out.size(); at += step) {
    walk.Gather(reinterpret_cast<const std::byte*>(stored.data()),
                std::min(step, out.size() - at),
                reinterpret_cast<std::byte*>(out.data() + at));
  }
  return out;
}

TEST(ElementWalk, GoesRowByRowFromAnywhere) {
  const Shape kShapes[] = {{},        {1},       {7},          {3, 4},
                           {4, 3},    {1, 5},    {5, 1},       {2, 3, 4},
                           {4, 1, 3}, {1, 1, 1}, {2, 3, 2, 3}, {3, 1, 2, 4}};
  for (const Shape& shape : kShapes) {
    const auto stored = Numbered(shape);
    for (uint64_t first = 0; first < stored.size(); ++first) {
      for (const size_t step : {1, 3, 1000}) {
        const auto got = Gathered(stored, shape, first, step);
        for (size_t i = 0; i < got.size(); ++i) {
          ASSERT_EQ(got[i], first + i) << ToText(shape);
        }
      }
    }
  }
}

TEST(ElementWalk, TakesAnyWidth) {
  for (const size_t width : {1, 2, 8, 16}) {
    std::string stored;  // a 2 by 3 matrix
    for (const char c : {'a', 'd', 'b', 'e', 'c', 'f'}) {
      stored += std::string(width, c);
    }
    std::string out(stored.size(), '\0');
    ElementWalk walk(Columns({2, 3}), static_cast<uint8_t>(8 * width), 0);
    walk.Gather(reinterpret_cast<const std::byte*>(stored.data()), 6,
                reinterpret_cast<std::byte*>(out.data()));
    for (size_t i = 0; i < 6; ++i) {
      EXPECT_EQ(out.substr(i * width, width),
                std::string(width, static_cast<char>('a' + i)));
    }
  }
}

TEST(ElementWalk, MayHaveNothingToVisit) {
  ElementWalk walk(Columns({0, 3}), 32, 0);
  std::byte none{};
  walk.Gather(&none, 0, &none);
}

}  // namespace
}  // namespace assay
