// The first nan or inf: whose it is, and whether it came from outside.
#include "pipeline/first_nonfinite.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "pipeline/overflow_with.h"

namespace assay {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// "op time port": what is dumped, and one value of it.
struct Dumped {
  std::string op, port;
  int time;
  float value;
};

void WriteAll(const TempTree& tree, const std::vector<Dumped>& dumped) {
  for (const Dumped& d : dumped) {
    tree.Write(fmt::format("Add.{}.1.1.17000000000000{}.{}.0.npy", d.op, d.time,
                           d.port),
               Npy(std::vector<float>{1, d.value, 3}));
  }
}

std::string Told(const std::optional<NonFinite>& found) {
  return found ? fmt::format("{} {}", found->op, found->why) : "nothing";
}

const struct {
  std::string what;
  std::vector<Dumped> dumped;
  std::string first, seen;
  bool in_output;
} kWhose[] = {
    {"all finite",
     {{"a", "input", 10, 1}, {"a", "output", 10, 2}},
     "nothing",
     "nothing",
     false},
    {"made of finite inputs; later ones inherit",
     {{"z", "input", 10, 1},
      {"z", "output", 10, 2},
      {"y", "input", 11, 2},
      {"y", "output", 11, kInf},
      {"x", "input", 12, kInf},
      {"x", "output", 12, kNan}},
     "y its input is finite",
     "nothing",
     true},
    {"no inputs dumped: the first in time",
     {{"c", "output", 10, 1},
      {"b", "output", 11, kNan},
      {"a", "output", 12, kNan}},
     "b none of its inputs was dumped, and the outputs before it are finite",
     "nothing",
     true},
    {"the first operator of all",
     {{"c", "output", 10, kNan}, {"b", "output", 11, kNan}},
     "c none of its inputs was dumped, and it is the first operator",
     "nothing",
     true},
    {"it came in; another makes one later",
     {{"a", "input", 10, kNan},
      {"a", "output", 10, kNan},
      {"b", "input", 11, kNan},
      {"b", "output", 11, kNan},
      {"c", "input", 12, 1},
      {"c", "output", 12, -kInf}},
     "c its input is finite",
     "a its input is already nan, and no output before it is",
     true},
    {"it came in, and nobody makes one",
     {{"a", "input", 10, kNan}, {"a", "output", 10, kNan}},
     "a its input is already nan, and no output before it is",
     "nothing",
     true},
    {"only what goes in was dumped",
     {{"a", "input", 10, 1}, {"b", "input", 11, kInf}},
     "b its input is already inf, and no output before it is; its outputs "
     "were not dumped",
     "nothing",
     true},
    {"a mask does no harm",
     {{"a", "input", 10, -kInf},
      {"a", "output", 10, 0},
      {"b", "input", 11, 0},
      {"b", "output", 11, 1}},
     "a its input is already -inf, and no output before it is; its outputs "
     "are finite",
     "nothing",
     false},
    {"a mask is not the first where an output is bad",
     {{"a", "input", 10, -kInf},
      {"a", "output", 10, 0},
      {"b", "input", 11, 0},
      {"b", "output", 11, kNan}},
     "b its input is finite",
     "nothing",
     true},
};

TEST(FirstNonFinite, WhoseItIs) {
  for (const auto& row : kWhose) {
    const TempTree tree;
    WriteAll(tree, row.dumped);
    for (const int threads : {1, 4}) {
      const OverflowReport report = MustFind(tree.path(), threads);
      EXPECT_EQ(Told(report.search.first), row.first) << row.what;
      EXPECT_EQ(Told(report.search.seen), row.seen) << row.what;
      EXPECT_EQ(report.search.in_output, row.in_output) << row.what;
      EXPECT_EQ(report.FoundSomething(), row.in_output) << row.what;
      EXPECT_EQ(report.search.order, "timestamps");
    }
  }
}

struct Found {
  Shape index;
  double value = 0;
  std::vector<double> before, after;
};
Found FirstIn(const std::string& npy) {
  const TempTree tree;
  tree.Write("x.npy", npy);
  const auto first = MustFind(tree.path()).search.first;
  EXPECT_TRUE(first);
  if (!first) return {};
  return {first->index.value_or(Shape{-1}), first->value, first->before,
          first->after};
}

TEST(FirstNonFinite, TheElementAndItsNeighbours) {
  using Values = std::vector<double>;
  const struct {
    size_t count, at;
    Shape index;
    Values before, after;
  } kRows[] = {
      {1, 0, {0}, {}, {}},
      {3, 0, {0}, {}, {1, 2}},
      {3, 1, {1}, {0}, {2}},
      {3, 2, {2}, {0, 1}, {}},
      {20000, 8191, {8191}, {8189, 8190}, {8192, 8193}},
      {20000, 8190, {8190}, {8188, 8189}, {8191, 8192}},
      {20000, 8192, {8192}, {8190, 8191}, {8193, 8194}},
      {20000, 19999, {19999}, {19997, 19998}, {}},
  };
  for (const auto& row : kRows) {
    std::vector<float> values(row.count);
    for (size_t i = 0; i < row.count; ++i) values[i] = static_cast<float>(i);
    values[row.at] = -kInf;
    const Found found = FirstIn(Npy(values));
    EXPECT_EQ(found.index, row.index) << row.at;
    EXPECT_EQ(found.value, -kInf);
    EXPECT_EQ(found.before, row.before) << row.at;
    EXPECT_EQ(found.after, row.after) << row.at;
  }
}

TEST(FirstNonFinite, TypesAndShapes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(FirstIn(Npy(std::vector<double>{1, 2, 3, 4, nan, 6}, "2, 3")).index,
            (Shape{1, 1}));
  const std::string half = BytesOf(std::vector<uint16_t>{0x3c00, 0x7c00});
  EXPECT_EQ(FirstIn(NpyBytes("<f2", "2,", half)).index, (Shape{1}));
  // The imaginary part of the second element.
  const std::string complex = BytesOf(std::vector<float>{1, 2, 3, kNan});
  EXPECT_EQ(FirstIn(NpyBytes("<c8", "2,", complex)).index, (Shape{1}));
}

TEST(FirstNonFinite, TheSameForAnyNumberOfThreads) {
  const TempTree tree;
  for (int i = 10; i < 60; ++i) {
    tree.Write(fmt::format("op{}.0.17000000000000{}.npy", 99 - i, i),
               Npy(With(Random(5000, i), 7, i < 33 ? 0.f : kNan)));
  }
  for (const int threads : {1, 2, 3, 8}) {
    const auto search = MustFind(tree.path(), threads).search;
    EXPECT_EQ(search.first->op, "op66") << threads;
    EXPECT_EQ(search.operators, 50u);
  }
}

TEST(FirstNonFinite, WithoutTimesTheFilesAreTheOrder) {
  const TempTree tree;
  tree.Write("b.npy", Npy(std::vector<float>{kNan}));
  tree.Write("a.npy", Npy(std::vector<float>{1}));
  tree.Write("c.npy", Npy(std::vector<float>{kInf}));
  tree.Write("0.npy", Npy(std::vector<int32_t>{1}));
  const auto search = MustFind(tree.path()).search;
  EXPECT_EQ(search.first->op, "b");
  EXPECT_EQ(search.order, "the names of the files");
}

TEST(FirstNonFinite, OverflowOfHalf) {
  const TempTree tree;
  tree.Write("x.npy",
             NpyBytes("<f2", "1,", BytesOf(std::vector<uint16_t>{0x7c00})));
  EXPECT_NE(MustFind(tree.path()).search.first->why.find("f16 ends at 65504"),
            std::string::npos);
}

TEST(FirstNonFinite, DamagedTensorsAreErrors) {
  const TempTree tree;
  tree.Write("a.npy", "\x93NUMPY");
  tree.Write("b.npy", Npy(std::vector<float>{kNan}));
  const OverflowReport report = MustFind(tree.path());
  EXPECT_EQ(report.errors.size(), 1u);
  EXPECT_EQ(report.search.first->op, "b");
}

}  // namespace
}  // namespace assay
