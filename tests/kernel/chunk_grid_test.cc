#include "kernel/chunk_grid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>

namespace assay {
namespace {

// Cuts a counted tensor into chunks, then puts it together slab by slab.
class Cut {
 public:
  Cut(Shape shape, Shape chunk, size_t limit)
      : shape_(shape),
        chunk_(chunk),
        limit_(limit),
        grid_(shape, chunk, sizeof(uint16_t), limit) {
    const uint64_t n = *ElementCount(shape);
    for (uint64_t i = 0; i < n; ++i) {
      const Shape at = Coordinates(i, shape);
      Shape origin(at.size());
      int64_t place = 0;
      for (size_t k = 0; k < at.size(); ++k) {
        origin[k] = at[k] - at[k] % chunk[k];
        place = place * chunk[k] + at[k] % chunk[k];
      }
      auto& values = chunks_[origin];
      values.resize(*ElementCount(chunk), 0xffff);  // padding
      values[static_cast<size_t>(place)] = static_cast<uint16_t>(i);
    }
  }

  void ExpectWhole() {
    std::vector<uint16_t> all;
    std::map<Shape, int> visits;
    Box box;
    while (grid_.NextSlab(box)) {
      std::vector<uint16_t> slab(grid_.Bytes(box) / 2, 0xeeee);
      EXPECT_LE(slab.size() * 2, std::max<size_t>(limit_, 2));
      const Status status =
          grid_.ForEachChunk(box, [&](const Shape& origin) -> Status {
            ++visits[origin];
            grid_.Copy(reinterpret_cast<std::byte*>(chunks_[origin].data()),
                       origin, box, reinterpret_cast<std::byte*>(slab.data()));
            return Done{};
          });
      EXPECT_TRUE(status);
      all.insert(all.end(), slab.begin(), slab.end());
    }
    const bool again = std::any_of(visits.begin(), visits.end(),
                                   [](const auto& v) { return v.second > 1; });
    EXPECT_EQ(grid_.CutsChunks(), again)
        << ToText(shape_) << ToText(chunk_) << limit_;
    ASSERT_EQ(all.size(), *ElementCount(shape_)) << ToText(shape_);
    for (size_t i = 0; i < all.size(); ++i) {
      ASSERT_EQ(all[i], i) << ToText(shape_) << ToText(chunk_) << limit_;
    }
  }

 private:
  Shape shape_, chunk_;
  size_t limit_;
  ChunkGrid grid_;
  std::map<Shape, std::vector<uint16_t>> chunks_;
};

TEST(ChunkGrid, HandsOutEveryElementOnceInOrder) {
  const struct {
    Shape shape, chunk;
  } kRows[] = {
      {{1}, {1}},
      {{7}, {3}},
      {{7}, {10}},
      {{5, 7}, {2, 3}},
      {{5, 7}, {5, 1}},
      {{1, 4, 6, 5}, {1, 3, 2, 2}},
      {{6, 1, 1, 9}, {4, 1, 1, 4}},
      {{3, 3, 3}, {2, 2, 2}},
  };
  for (const auto& row : kRows) {
    for (const size_t limit : {1, 2, 5, 8, 24, 100, 1000, 1 << 20}) {
      Cut(row.shape, row.chunk, limit).ExpectWhole();
    }
  }
}

// Slabs of whole chunks: none is needed twice.
TEST(ChunkGrid, CutsBetweenChunks) {
  ChunkGrid grid({10, 4}, {3, 4}, 1, 30);
  Box box;
  std::string steps;
  while (grid.NextSlab(box)) steps += std::to_string(box.end[0]) + " ";
  EXPECT_EQ(steps, "6 10 ");
}

TEST(ChunkGrid, StopsAtTheFirstError) {
  ChunkGrid grid({4}, {1}, 1, 100);
  Box box;
  ASSERT_TRUE(grid.NextSlab(box));
  int visits = 0;
  const Status status = grid.ForEachChunk(box, [&](const Shape&) -> Status {
    ++visits;
    return Corrupt("bad");
  });
  EXPECT_FALSE(status);
  EXPECT_EQ(visits, 1);
}

}  // namespace
}  // namespace assay
