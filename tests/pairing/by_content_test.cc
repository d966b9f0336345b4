#include <gtest/gtest.h>

#include <cmath>

#include "pairing/content.h"
#include "pairing/torchair.h"

namespace assay {
namespace {

// Values of a tensor; `scale` and `noise` disturb them.
Fingerprint Print(double seed, Shape shape = {2, 3}, double noise = 0,
                  double scale = 1) {
  Fingerprint print{.known = true, .shape = std::move(shape)};
  double sum = 0, squares = 0;
  for (int i = 0; i < 6; ++i) {
    const double x = scale * std::sin(seed * 7 + i * (1 + seed)) + noise * i;
    print.first.push_back(x);
    sum += x;
    squares += x * x;
  }
  print.min = *std::ranges::min_element(print.first);
  print.max = *std::ranges::max_element(print.first);
  print.mean = sum / 6;
  print.rms = std::sqrt(squares / 6);
  return print;
}

std::string Content(const std::vector<Fingerprint>& golden,
                    const std::vector<Fingerprint>& target,
                    const PairOptions& only = {}) {
  const auto dump = [](char letter, size_t n) {
    std::vector<Made> made;
    for (size_t i = 0; i < n; ++i) {
      made.push_back({fmt::format("{}{}.npy", letter, i)});
    }
    made.push_back({fmt::format("{}.npy", letter)});
    Dump out = MakeDump(made);
    out.kind = letter;
    out.tensors.pop_back();  // more files than tensors: never two files
    return out;
  };
  PairOptions options = only;
  options.strategy = "by-content";
  options.fingerprints = [&](const Dump& d) {
    return Result<std::vector<Fingerprint>>(d.kind == "g" ? golden : target);
  };
  return Short(dump('g', golden.size()), dump('t', target.size()), options);
}

TEST(ByContent, TheBestOfBothSides) {
  EXPECT_EQ(Content({Print(1), Print(2), Print(3)},
                    {Print(3, {2, 3}, 1e-4), Print(1), Print(2, {2, 3}, 1e-3)}),
            "g0=t1; g1=t2; g2=t0");
  // Another order of the dimensions: statistics alone.
  EXPECT_EQ(Content({Print(1), Print(2)}, {Print(2, {3, 1, 2}), Print(1)}),
            "g0=t1; g1=t0");
}

TEST(ByContent, SizeAndKindMustAgree) {
  Fingerprint whole = Print(1);
  whole.kind = DKind::kInteger;
  EXPECT_EQ(Content({Print(1)}, {Print(1, {6, 2}), whole}),
            "-g0: no target tensor has this size and kind; "
            "+t0: no golden tensor has this size and kind; "
            "+t1: no golden tensor has this size and kind");
}

TEST(ByContent, WhatSeveralFitIsNotGuessed) {
  EXPECT_EQ(Content({Print(1)}, {Print(1), Print(1)}),
            "-g0: ambiguous: its values fit t0, t1; "
            "+t0: ambiguous: its values fit g0; "
            "+t1: ambiguous: its values fit g0");
  EXPECT_EQ(Content({Print(1)}, {Print(1, {2, 3}, 0, 4)}),
            "-g0: no target tensor that is left has values like it; "
            "+t0: no golden tensor that is left has values like it");
  EXPECT_EQ(Content({Fingerprint{}}, {Fingerprint{}}),
            "-g0: it has no values to go by; +t0: it has no values to go by");
  EXPECT_EQ(Content({Print(1), Print(2)}, {Print(2), Print(1)}, {.only = "g0"}),
            "g0=t1; -g1: does not match --only; +t0: does not match --only");
}

TEST(ByContent, IsNeverChosenByItself) {
  for (const Strategy* strategy : AllStrategies()) {
    if (strategy->name == "by-content") {
      EXPECT_EQ(strategy->fits({}, {}, {}), "");
    }
  }
  const auto pairing = PairDumps({}, {}, {.strategy = "by-content"});
  ASSERT_FALSE(pairing);
  EXPECT_EQ(pairing.error().what,
            "pairing 'by-content' needs the values of both sides");
}

TEST(ByContent, SaysThatItIsAGuess) {
  PairOptions options{.strategy = "by-content"};
  options.fingerprints = [](const Dump&) {
    return Result<std::vector<Fingerprint>>(std::vector{Print(1)});
  };
  const auto pairing =
      PairDumps(MakeDump({{"a.npy"}}), MakeDump({{"b.npy"}}), options);
  ASSERT_TRUE(pairing);
  EXPECT_EQ(*pairing->pairs.at(0).why,
            "guessed: size, kind and statistics agree to 0 %");
}

}  // namespace
}  // namespace assay
