#include "kernel/extra_pass.h"

#include <algorithm>
#include <cmath>

namespace assay {
namespace {

// The smallest share msaccucmp lets a scaled value have: float32's epsilon.
constexpr double kLeast = 0x1p-23;
constexpr double kDiff3Limit = 1e-6, kDiff3Guard = 1e-9;

struct Range {
  double low, high;

  // Into [kLeast, 1]; all elements of a constant tensor have the same share.
  double Scaled(double x) const {
    return high == low ? 1 : std::max((x - low) / (high - low), kLeast);
  }
};

Range GoldenRange(const PairStats& s) {
  return {Number(s.min_golden, s.golden_kind).AsDouble(),
          Number(s.max_golden, s.golden_kind).AsDouble()};
}
Range TargetRange(const PairStats& s) {
  return {Number(s.min_target, s.target_kind).AsDouble(),
          Number(s.max_target, s.target_kind).AsDouble()};
}

struct Element {
  double g, t;
  double d;  // t - g
};

void AddElement(Element e, const ExtraPasses& passes, Range golden,
                Range target, ExtraSums& sums) {
  const auto [g, t, d] = e;
  if (passes.kl_minmax) {
    const double x = golden.Scaled(g), y = target.Scaled(t);
    sums.minmax_g += x;
    sums.minmax_t += y;
    sums.minmax_cross += y * std::log(y / x);
  }
  if (passes.kl_softmax) {
    const double x = std::exp(g - golden.high);
    sums.softmax_g += x;
    sums.softmax_t += std::exp(t - target.high);
    sums.softmax_cross += x * ((g - golden.high) - (t - target.high));
  }
  if (passes.teco) {
    const double abs_d = std::fabs(d), abs_g = std::fabs(g);
    const double diff3 =
        abs_g > kDiff3Limit ? abs_d / (abs_g + kDiff3Guard) : abs_d;
    sums.abs_d += abs_d;
    sums.abs_g += abs_g;
    sums.diff3_max = std::max(sums.diff3_max, diff3);
    sums.diff3 += diff3;
    sums.greater += d > 0;
    sums.less += d < 0;
  }
}

Element MakeElement(double g, double t, const PairStats&) {
  return {g, t, t - g};
}
Element MakeElement(int64_t g, int64_t t, const PairStats& stats) {
  const Number golden({.sint = g}, stats.golden_kind);
  const Number target({.sint = t}, stats.target_kind);
  return {golden.AsDouble(), target.AsDouble(), Difference(target, golden)};
}

template <typename T>
void AddTile(const TilePair& tile, const ExtraPasses& passes,
             const PairStats& stats, ExtraSums& sums) {
  const Range golden = GoldenRange(stats), target = TargetRange(stats);
  for (size_t i = 0; i < tile.n; ++i) {
    const Element e =
        MakeElement(tile.Golden<T>()[i], tile.Target<T>()[i], stats);
    if (!std::isfinite(e.g) || !std::isfinite(e.t)) continue;
    AddElement(e, passes, golden, target, sums);
  }
}

std::optional<double> Finite(double x) {
  return std::isfinite(x) ? std::optional(x) : std::nullopt;
}

// sum p ln(p / q) from sums of P and Q, which are not scaled to the sum 1:
// sum P ln(P / Q) / sum P - ln(sum P / sum Q).
std::optional<double> Divergence(const KeptSum& cross, const KeptSum& sum_p,
                                 const KeptSum& sum_q) {
  const double p = sum_p.value(), q = sum_q.value();
  return Finite(cross.value() / p - std::log(p / q));
}

}  // namespace

void ExtraPasses::Need(std::string_view metric) {
  kl_minmax |= metric == "kl_minmax";
  kl_softmax |= metric == "kl_softmax";
  teco |= metric.starts_with("diff");
}

void ExtraSums::Merge(const ExtraSums& next) {
  minmax_g += next.minmax_g;
  minmax_t += next.minmax_t;
  minmax_cross += next.minmax_cross;
  softmax_g += next.softmax_g;
  softmax_t += next.softmax_t;
  softmax_cross += next.softmax_cross;
  abs_d += next.abs_d;
  abs_g += next.abs_g;
  diff3 += next.diff3;
  diff3_max = std::max(diff3_max, next.diff3_max);
  greater += next.greater;
  less += next.less;
}

void AddExtras(const TilePair& tile, const ExtraPasses& passes,
               const PairStats& stats, ExtraSums& sums) {
  ExtraSums block;
  switch (tile.type) {
    case TileType::kF32:
      AddTile<float>(tile, passes, stats, block);
      break;
    case TileType::kF64:
      AddTile<double>(tile, passes, stats, block);
      break;
    case TileType::kI64:
      AddTile<int64_t>(tile, passes, stats, block);
      break;
  }
  sums.Merge(block);
}

ExtraStats FinishExtras(const ExtraSums& s, const ExtraPasses& passes,
                        const PairStats& stats) {
  ExtraStats out;
  if (stats.used == 0) return out;
  if (passes.kl_minmax) {
    out.kl_minmax = Divergence(s.minmax_cross, s.minmax_t, s.minmax_g);
  }
  if (passes.kl_softmax) {
    out.kl_softmax = Divergence(s.softmax_cross, s.softmax_g, s.softmax_t);
  }
  if (passes.teco) {
    const double abs_d = s.abs_d.value(), abs_g = s.abs_g.value();
    if (abs_g > 0 && std::isfinite(abs_g)) out.diff1 = Finite(abs_d / abs_g);
    if (abs_d == 0) out.diff1 = 0;
    out.diff3_max = Finite(s.diff3_max);
    out.diff3_mean = Finite(s.diff3.value() / static_cast<double>(stats.used));
    const auto differ =
        static_cast<double>(std::max<uint64_t>(1, s.greater + s.less));
    out.greater_share = static_cast<double>(s.greater) / differ;
    out.less_share = static_cast<double>(s.less) / differ;
  }
  return out;
}

}  // namespace assay
