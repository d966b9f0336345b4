#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/value_facts.cc"
#include "kernel/value_facts.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>

#include "kernel/lane_sums.h"
#include "kernel/targets.h"

#ifndef ASSAY_VALUE_FACTS_ONCE
#define ASSAY_VALUE_FACTS_ONCE
namespace assay {

// Values that are not all finite, or too few for a vector.
inline void AddOneByOne(const float* values, size_t n, double* lanes,
                        ValueFacts& facts) {
  for (size_t i = 0; i < n; ++i) {
    const float x = values[i];
    facts.has_nan |= std::isnan(x);
    facts.has_inf |= std::isinf(x);
    if (!std::isfinite(x)) continue;
    lanes[i] += x;
    facts.min = std::min(facts.min, x);
    facts.max = std::max(facts.max, x);
    ++facts.finite;
  }
}

}  // namespace assay
#endif

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

void AddFacts(const float* HWY_RESTRICT values, size_t n, ValueFacts& facts) {
  const hn::ScalableTag<double> wide;
  const hn::Rebind<float, decltype(wide)> narrow;
  constexpr size_t kWide = hn::MaxLanes(wide), kParts = kLanes / kWide;
  hn::Vec<decltype(wide)> sums[kParts];
  for (auto& sum : sums) sum = hn::Zero(wide);
  auto low = hn::Set(narrow, facts.min), high = hn::Set(narrow, facts.max);
  const auto infinity = hn::Set(narrow, std::numeric_limits<float>::infinity());
  double odd[kLanes] = {};  // of groups that are not all finite
  size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    auto finite = hn::FirstN(narrow, kWide);
    for (size_t part = 0; part < kParts; ++part) {
      const auto v = hn::LoadU(narrow, values + i + part * kWide);
      finite = hn::And(finite, hn::Lt(hn::Abs(v), infinity));
    }
    if (!hn::AllTrue(narrow, finite)) {
      AddOneByOne(values + i, kLanes, odd, facts);
      continue;
    }
    for (size_t part = 0; part < kParts; ++part) {
      const auto v = hn::LoadU(narrow, values + i + part * kWide);
      sums[part] = hn::Add(sums[part], hn::PromoteTo(wide, v));
      low = hn::Min(low, v);
      high = hn::Max(high, v);
    }
    facts.finite += kLanes;
  }
  AddOneByOne(values + i, n - i, odd, facts);
  double lanes[kLanes];
  for (size_t part = 0; part < kParts; ++part) {
    hn::StoreU(sums[part], wide, lanes + part * kWide);
  }
  for (size_t k = 0; k < kLanes; ++k) lanes[k] += odd[k];
  float lows[kWide], highs[kWide];
  hn::StoreU(low, narrow, lows);
  hn::StoreU(high, narrow, highs);
  facts.min = std::min(facts.min, *std::min_element(lows, lows + kWide));
  facts.max = std::max(facts.max, *std::max_element(highs, highs + kWide));
  facts.sum += ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) +
               ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
void AddFacts(const float* values, size_t n, ValueFacts& facts) {
  static const auto best = ASSAY_BEST(AddFacts);
  best(values, n, facts);
}
}  // namespace assay
#endif
