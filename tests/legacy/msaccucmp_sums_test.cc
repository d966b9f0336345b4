// Large arrays: sums of many chunks, which may come from several threads.
#include "legacy/msaccucmp_sums.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <initializer_list>

#include "arrays.h"
#include "metric_pairs.h"
#include "temp_file.h"

namespace assay {
namespace {

constexpr size_t kMany = 2'300'001;  // not a whole number of chunks

using Array = std::vector<float>;

std::unique_ptr<OpenedPair> Stored(const TempFile& my, const TempFile& golden) {
  return OpenPair(my.path(), golden.path());
}

MsaccucmpSums SumsOf(
    const Array& my, const Array& golden, int threads,
    const std::optional<MsaccucmpKnown>& known = std::nullopt) {
  const TempFile m(".npy", Npy(my)), g(".npy", Npy(golden));
  const auto pair = Stored(m, g);
  const auto chunks = PairChunks::Open(pair->job);
  EXPECT_TRUE(chunks);
  const auto sums = SumMsaccucmp(*chunks, my.size(), 3, known, threads);
  EXPECT_TRUE(sums);
  return *sums;
}

// The formulas in double.
struct Expected {
  double cosine = 0, divergence = 0, my_std = 0, golden_std = 0;
};

double Mean(const Array& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / static_cast<double>(x.size());
}

double Deviation(const Array& x) {
  const double mean = Mean(x);
  double sum = 0;
  for (const double v : x) sum += (v - mean) * (v - mean);
  return std::sqrt(sum / static_cast<double>(x.size()));
}

std::vector<double> Distribution(const Array& x) {
  const auto [low, high] = std::ranges::minmax(x);
  std::vector<double> p;
  double sum = 0;
  for (const double v : x) {
    p.push_back(std::max((v - low) / (double{high} - low), 0x1p-23));
    sum += p.back();
  }
  for (double& v : p) v /= sum;
  return p;
}

Expected ByFormula(const Array& my, const Array& golden) {
  Expected e = {.my_std = Deviation(my), .golden_std = Deviation(golden)};
  double mm = 0, gg = 0, mg = 0;
  for (size_t i = 0; i < my.size(); ++i) {
    mm += double{my[i]} * my[i];
    gg += double{golden[i]} * golden[i];
    mg += double{my[i]} * golden[i];
  }
  e.cosine = mg / std::sqrt(mm) / std::sqrt(gg);
  const auto p = Distribution(my), q = Distribution(golden);
  for (size_t i = 0; i < p.size(); ++i) {
    e.divergence += p[i] * std::log(p[i] / q[i]);
  }
  return e;
}

Array Moved(const Array& x, double by) {
  return Changed(x, [=](double v, size_t) { return v + by; });
}

struct Kind {
  std::string_view name;
  Array my, golden;
};

std::vector<Kind> Kinds(size_t n) {
  const Array g = Random(n), other = Random(n, 2);
  const auto noise = [&](double v, size_t i) { return v + 1e-3 * other[i]; };
  return {{"near", Changed(g, noise), g},
          {"equal", g, g},
          {"unrelated", other, g},
          {"a far value", With(g, 7, 1e4F), g},
          {"a large mean", Moved(Changed(g, noise), 1e5), Moved(g, 1e5)},
          {"tiny numbers", Scaled(other, 1e-20), Scaled(g, 1e-20)},
          {"unlike ranges", Scaled(other, 1e9), Scaled(g, 1e-9)}};
}

TEST(MsaccucmpSums, OfManyElements) {
  for (const auto& [name, my, golden] : Kinds(kMany)) {
    SCOPED_TRACE(name);
    const MsaccucmpSums s = SumsOf(my, golden, 1);
    const Expected e = ByFormula(my, golden);
    const auto n = static_cast<double>(kMany);
    EXPECT_NEAR(s.cosine, e.cosine, 2e-6);
    EXPECT_NEAR(s.divergence, e.divergence, 2e-6 * (1 + e.divergence));
    EXPECT_NEAR(std::sqrt(s.my.centred / n), e.my_std, 1e-9 * e.my_std);
    EXPECT_NEAR(std::sqrt(s.golden.centred / n), e.golden_std,
                1e-9 * e.golden_std);
  }
}

// Every number of it; NaN is the same as itself.
std::vector<uint64_t> Bits(const MsaccucmpSums& s) {
  std::vector<uint64_t> bits = {s.n};
  const auto add = [&](std::initializer_list<double> values) {
    for (const double v : values) bits.push_back(std::bit_cast<uint64_t>(v));
  };
  for (const MsaccucmpSums::Side& side : {s.my, s.golden}) {
    add({side.max, side.min, side.squares, side.sum, side.wide_squares,
         side.centred, side.scaled});
  }
  add({s.difference, s.squares, s.relative, s.max_difference, s.max_relative,
       s.cosine, s.divergence});
  return bits;
}

TEST(MsaccucmpSums, AreTheSameForAnyNumberOfThreads) {
  const Array g = Random(kMany), m = With(Random(kMany, 2), 5, 3e4F);
  for (const Array& my : {m, Scaled(m, 1e-30), With(m, 11, NAN)}) {
    const auto one = Bits(SumsOf(my, g, 1));
    for (const int threads : {2, 7}) {
      EXPECT_EQ(Bits(SumsOf(my, g, threads)), one) << threads;
    }
  }
}

// As the plain pass finds them.
MsaccucmpSums::Side KnownIn(const Array& x) {
  const auto [low, high] = std::ranges::minmax(x);
  const auto n = static_cast<double>(x.size());
  const double deviation = Deviation(x);
  return {.max = high,
          .min = low,
          .sum = Mean(x) * n,
          .centred = deviation * deviation * n};
}

TEST(MsaccucmpSums, AreTheSameIfTheSidesAreKnown) {
  for (const auto& [name, my, golden] : Kinds(100'001)) {
    SCOPED_TRACE(name);
    const MsaccucmpKnown known = {KnownIn(my), KnownIn(golden)};
    MsaccucmpSums expected = SumsOf(my, golden, 1);
    const MsaccucmpSums found = SumsOf(my, golden, 2, known);
    const auto same_moments = [](const MsaccucmpSums::Side& f,
                                 MsaccucmpSums::Side& e) {
      EXPECT_NEAR(f.sum, e.sum, 1e-12 * 100'001 * std::sqrt(e.wide_squares));
      EXPECT_NEAR(f.centred, e.centred, 1e-9 * e.centred);
      e.sum = f.sum, e.centred = f.centred, e.wide_squares = f.wide_squares;
    };
    same_moments(found.my, expected.my);
    same_moments(found.golden, expected.golden);
    EXPECT_EQ(Bits(found), Bits(expected));
  }
}

std::optional<MsaccucmpKnown> KnownOfPair(const std::string& my,
                                          const std::string& golden,
                                          uint64_t used) {
  const TempFile m(".npy", my), g(".npy", golden);
  PairStats s = {.count = 2, .used = used};
  s.max_target.real = 3, s.min_target.real = -1;
  s.target = {.mean = 1, .m2 = 8};
  return KnownOf(&s, Stored(m, g)->job);
}

TEST(MsaccucmpSums, WhatThePlainPassTells) {
  const std::string one = Npy(Array{3, -1}), two = Npy(Array{0, 0});
  const auto known = KnownOfPair(one, two, 2);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->my.max, 3);
  EXPECT_EQ(known->my.min, -1);
  EXPECT_EQ(known->my.sum, 2);
  EXPECT_EQ(known->my.centred, 8);
  EXPECT_FALSE(KnownOfPair(one, two, 1));  // of the other nothing is known
  const std::string wide = Npy(std::vector<double>{3, -1});
  EXPECT_FALSE(KnownOfPair(wide, two, 2));  // float32 rounds it
}

TEST(MsaccucmpSums, OfAnArrayAndItself) {
  const Array g = Random(kMany);
  const MsaccucmpSums s = SumsOf(g, g, 1);
  EXPECT_FLOAT_EQ(s.cosine, 1);
  EXPECT_EQ(s.divergence, 0.0F);
  EXPECT_EQ(s.max_difference, 0.0F);
}

}  // namespace
}  // namespace assay
