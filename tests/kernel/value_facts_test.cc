#include "kernel/value_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace assay {
namespace {

ValueFacts Of(const std::vector<float>& values) {
  ValueFacts facts;
  AddFacts(values.data(), values.size(), facts);
  return facts;
}

TEST(ValueFacts, OfFiniteValues) {
  for (const size_t n : {1u, 7u, 8u, 100u, 8192u}) {
    std::vector<float> values(n);
    double sum = 0;
    for (size_t i = 0; i < n; ++i) {
      values[i] = static_cast<float>(i * 31 % 17) - 4.5f;
      sum += values[i];
    }
    const ValueFacts facts = Of(values);
    EXPECT_EQ(facts.sum, sum) << n;  // exact: halves of small numbers
    EXPECT_EQ(facts.finite, n);
    EXPECT_EQ(facts.min, *std::min_element(values.begin(), values.end()));
    EXPECT_EQ(facts.max, *std::max_element(values.begin(), values.end()));
    EXPECT_FALSE(facts.has_nan || facts.has_inf);
  }
}

TEST(ValueFacts, WhatIsNotFiniteIsToldAndLeftOut) {
  constexpr float kInf = std::numeric_limits<float>::infinity();
  std::vector<float> values(40, 2);
  values[9] = -kInf;
  values[33] = std::nanf("");
  values[39] = -1;
  const ValueFacts facts = Of(values);
  EXPECT_TRUE(facts.has_nan && facts.has_inf);
  EXPECT_EQ(facts.finite, 38u);
  EXPECT_EQ(facts.sum, 37 * 2 - 1);
  EXPECT_EQ(facts.min, -1);
  EXPECT_EQ(facts.max, 2);
  EXPECT_EQ(Of({}).finite, 0u);
}

}  // namespace
}  // namespace assay
