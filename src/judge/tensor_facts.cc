#include "judge/tensor_facts.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/metrics.h"
#include "judge/constants.h"
#include "judge/type_floor.h"

namespace assay {
namespace {

bool IsWhole(DType type) {
  const DKind kind = Info(type).kind;
  return kind == DKind::kInteger || kind == DKind::kBool;
}

double ValueOf(std::string_view metric, const PairStats& stats) {
  const auto value = FindMetric(metric)->value(stats, {});
  return value ? value->AsDouble() : HUGE_VAL;
}

uint64_t Mixed(uint64_t hash, double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  hash = (hash ^ bits) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 29);
}

uint64_t ContentOf(const PairStats& s) {
  uint64_t hash = s.count;
  for (const double x :
       {s.golden.mean, s.golden.m2, s.target.mean, s.target.m2, s.sum_dd,
        Number(s.max_golden, s.golden_kind).AsDouble(),
        Number(s.min_target, s.target_kind).AsDouble()}) {
    hash = Mixed(hash, x);
  }
  return hash;
}

// Size of a large element, as the type level sees it.
double LargeElement(const PairStats& s, double rms) {
  const double n = std::max(static_cast<double>(s.used), 2.0);
  return std::max({rms * std::sqrt(2 * std::log(n)),
                   std::fabs(Number(s.min_golden, s.golden_kind).AsDouble()),
                   std::fabs(Number(s.max_golden, s.golden_kind).AsDouble())});
}

}  // namespace

TensorFacts FactsOf(const PairStats& s, DType golden, DType target) {
  TensorFacts facts{.measured = true,
                    .equal = s.equal == s.count,
                    .one_sided = s.one_sided_at != PairStats::kNowhere,
                    .whole = IsWhole(golden) && IsWhole(target),
                    .content = ContentOf(s)};
  if (s.used == 0) return facts;
  facts.rms = std::sqrt(s.SumSquaresGolden() / static_cast<double>(s.used));
  if (facts.equal) return facts;
  facts.rel_l2 = ValueOf("rel_l2", s);
  facts.scale = std::fabs(ValueOf("norm_ratio", s) - 1);
  facts.element = LargeElement(s, facts.rms);
  const double max_abs = Number(s.max_abs, s.diff_kind).AsDouble();
  facts.max_part = facts.element > 0 ? max_abs / facts.element : HUGE_VAL;
  facts.roundoff = CoarsestRounding(golden, target, s).roundoff;
  if (facts.whole && facts.rms > 0) facts.roundoff = kIntegerStep / facts.rms;
  return facts;
}

}  // namespace assay
