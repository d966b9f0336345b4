#include <gtest/gtest.h>

#include "arrays.h"
#include "kernel/look.h"

namespace assay {
namespace {

// "3:2 0:1" – index and error, worst first.
template <typename T>
std::string Worst(const std::vector<T>& g, const std::vector<T>& t, Types types,
                  size_t want) {
  std::string text;
  for (const ElementAt& e : Look(g, t, types, {.worst = want}).worst) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", e.index, e.error);
  }
  return text;
}

TEST(Examine, WorstFirst) {
  const struct {
    Reals golden, target;
    size_t want;
    std::string worst;
  } kRows[] = {
      {{}, {}, 3, ""},
      {{1, 2}, {1, 2}, 3, ""},
      {{0, 0, 0, 0, 0, 0}, {1, 5, 0, 2, 5, 3}, 3, "1:5 4:5 5:3"},
      {{0, 0, 0, 0, 0, 0}, {1, 5, 0, 2, 5, 3}, 9, "1:5 4:5 5:3 3:2 0:1"},
      {{0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}, 2, "0:1 1:1"},
      {{0, 0, 0, 0, 0, 0}, {1, 1, 1, 1, 1, 1}, 0, ""},
      {{9, 1, NAN, NAN, 1, kInf, kInf},
       {0, NAN, 2, NAN, kInf, kInf, -kInf},
       9,
       "1:inf 2:inf 4:inf 6:inf 0:9"},
      {{9, 1, NAN, NAN, 1, kInf},
       {0, NAN, 2, NAN, kInf, kInf},
       2,
       "1:inf 2:inf"},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(Worst(row.golden, row.target, kDouble, row.want), row.worst);
    EXPECT_EQ(
        Worst(Floats(row.golden.begin(), row.golden.end()),
              Floats(row.target.begin(), row.target.end()), kSingle, row.want),
        row.worst);
  }
}

TEST(Examine, WorstOfWholeNumbersAreExact) {
  EXPECT_EQ(
      Worst(Ints{kBig, kBig, kBig}, Ints{kBig, kBig + 1, kBig - 2}, kWhole, 5),
      "2:2 1:1");
  constexpr Types kUnsigned = {DType::kU64, DType::kU64};
  EXPECT_EQ(Worst(Ints{INT64_MIN, -1}, Ints{INT64_MAX, -3}, kUnsigned, 5),
            "1:2 0:1");
  // The same bits, read as 2^63 and as -2^63.
  const Detail mixed = Look(Ints{INT64_MIN}, Ints{INT64_MIN},
                            {DType::kU64, DType::kI64}, {.worst = 1});
  ASSERT_EQ(mixed.worst.size(), 1u);
  EXPECT_EQ(mixed.worst[0].error, 0x1p64);
  EXPECT_EQ(mixed.worst[0].golden.AsDouble(), 0x1p63);
  EXPECT_EQ(mixed.worst[0].target.AsDouble(), -0x1p63);
}

TEST(Examine, WorstOfManyBlocks) {
  const auto g = Random<float>(20000);
  auto t = g;
  for (const size_t at : {19999, 3, 8192, 777}) t[at] += 100;
  t[5000] += 200;
  const Detail detail = Look(g, t, kSingle, {.worst = 4}, 8192);
  std::vector<uint64_t> indices;
  for (const ElementAt& e : detail.worst) indices.push_back(e.index);
  std::sort(indices.begin() + 1, indices.end());
  EXPECT_EQ(indices[0], 5000u);
  EXPECT_EQ(detail.worst.size(), 4u);
  EXPECT_EQ(detail.worst[0].golden.AsDouble(), g[5000]);
  EXPECT_EQ(detail.worst[0].target.AsDouble(), t[5000]);
}

TEST(Examine, CountsByMagnitude) {
  const struct {
    double error;
    int decade;
  } kRows[] = {{1, 0},      {9.99, 0},    {10, 1},      {0.1, -1},
               {0.09, -2},  {1e-20, -20}, {1e-30, -20}, {1e20, 20},
               {1e300, 20}, {-5, 0},      {5e-324, -20}};
  for (const auto& row : kRows) {
    LogHistogram histogram;
    histogram.Add(row.error);
    EXPECT_EQ(histogram.bins.at(
                  static_cast<size_t>(row.decade - LogHistogram::kFirst)),
              1u)
        << row.error;
  }
  const Detail detail = Look(Reals{0, 0, 0, NAN, NAN}, Reals{0, 5, 7, NAN, 1},
                             kDouble, {.spread = true});
  EXPECT_EQ(detail.spread.errors.zero, 2u);
  EXPECT_EQ(detail.spread.errors.not_finite, 1u);
  EXPECT_EQ(detail.spread.errors.bins[-LogHistogram::kFirst], 2u);
}

}  // namespace
}  // namespace assay
