#include "core/metrics.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace assay {
namespace {

using Value = std::optional<Number>;

Value Count(uint64_t n) { return Number({.uint = n}, NumberKind::kUnsigned); }

// A sum that left the range of float64 makes no number.
Value Finite(double x) { return std::isfinite(x) ? Value(x) : std::nullopt; }

double N(const PairStats& s) { return static_cast<double>(s.used); }
// The root of a sum of squares; NaN where there are values but their squares
// are below float64's range.
double Norm(double squares, bool any_value) {
  return squares == 0 && any_value ? NAN : std::sqrt(squares);
}
bool IsZero(RawNumber value, NumberKind kind) {
  return Number(value, kind).AsDouble() == 0;
}
double NormGolden(const PairStats& s) {
  return Norm(s.SumSquaresGolden(), !IsZero(s.min_golden, s.golden_kind) ||
                                        !IsZero(s.max_golden, s.golden_kind));
}
double NormTarget(const PairStats& s) {
  return Norm(s.SumSquaresTarget(), !IsZero(s.min_target, s.target_kind) ||
                                        !IsZero(s.max_target, s.target_kind));
}
double NormError(const PairStats& s) {
  return Norm(s.sum_dd, !IsZero(s.max_abs, s.diff_kind));
}

bool Varies(RawNumber low, RawNumber high, NumberKind kind) {
  return Number(low, kind).AsDouble() < Number(high, kind).AsDouble();
}
double DeviationGolden(const PairStats& s) {
  return Norm(s.golden.m2, Varies(s.min_golden, s.max_golden, s.golden_kind));
}
double DeviationTarget(const PairStats& s) {
  return Norm(s.target.m2, Varies(s.min_target, s.max_target, s.target_kind));
}

// A mean over the used elements.
Value Mean(const PairStats& s, double sum) {
  return s.used == 0 ? std::nullopt : Finite(sum / N(s));
}

// a / b for sums; 0/0 agrees (0), x/0 is infinite.
Value Ratio(const PairStats& s, double a, double b) {
  if (s.used == 0 || !std::isfinite(a) || !std::isfinite(b))
    return std::nullopt;
  if (b == 0) return a == 0 ? 0.0 : HUGE_VAL;
  return a / b;
}

Value Extreme(const PairStats& s, RawNumber value, NumberKind kind) {
  return s.used == 0 ? std::nullopt : Value(Number(value, kind));
}

// g.t / (|g| |t|); the longer side divides first, so that swapping the sides
// changes no digit and products of norms cannot overflow.
double PlainCosine(const PairStats& s, double g, double t) {
  return s.sum_gt / std::max(g, t) / std::min(g, t);
}

// 1 - cos = (|g-t|^2 - (|g|-|t|)^2) / (2 |g| |t|) keeps its digits where the
// cosine is near 1 and the norms are alike; elsewhere the plain form does.
// Two all-zero tensors agree: 0. One all-zero side: 1.
Value CosineDistance(const PairStats& s, const ExtraStats&) {
  if (s.used == 0) return std::nullopt;
  const double g = NormGolden(s), t = NormTarget(s);
  if (!std::isfinite(g) || !std::isfinite(t)) return std::nullopt;
  if (g == 0 || t == 0) return g == t ? 0.0 : 1.0;
  const double plain = PlainCosine(s, g, t), gap = g - t;
  const bool alike = plain > 0.5 && std::max(g, t) <= 2 * std::min(g, t);
  const double distance =
      alike ? (s.sum_dd - gap * gap) / (2 * g * t) : 1 - plain;
  if (!std::isfinite(distance)) return std::nullopt;
  return std::clamp(distance, 0.0, 2.0);
}

Value Cosine(const PairStats& s, const ExtraStats& e) {
  const Value distance = CosineDistance(s, e);
  if (!distance) return std::nullopt;
  const double g = NormGolden(s), t = NormTarget(s);
  if (g == 0 || t == 0) return 1 - distance->AsDouble();
  const double plain = PlainCosine(s, g, t);
  return plain > 0.5 ? 1 - distance->AsDouble() : std::max(plain, -1.0);
}

Value RelL2(const PairStats& s, const ExtraStats&) {
  return Ratio(s, NormError(s), NormGolden(s));
}

// Two all-zero tensors have equal norms.
Value NormRatio(const PairStats& s, const ExtraStats&) {
  const double g = NormGolden(s), t = NormTarget(s);
  return s.used > 0 && g == 0 && t == 0 ? 1.0 : Ratio(s, t, g);
}

// The square of golden's largest value; NaN if it is below float64's range.
double PeakPower(const PairStats& s) {
  const double peak =
      std::max(std::fabs(Number(s.min_golden, s.golden_kind).AsDouble()),
               std::fabs(Number(s.max_golden, s.golden_kind).AsDouble()));
  const double power = peak * peak;
  return power == 0 && peak > 0 ? NAN : power;
}

// Decibels of a power ratio; nothing to compare: no value, no noise: inf.
Value Decibels(const PairStats& s, double signal, double noise) {
  if (s.used == 0 || !std::isfinite(signal) || !std::isfinite(noise)) {
    return std::nullopt;
  }
  if (noise == 0) return HUGE_VAL;
  return 10 * std::log10(signal / noise);
}

uint64_t Defined(const PairStats& s) { return s.used - s.rel_undefined; }

Value OverDefined(const PairStats& s, double sum) {
  return Defined(s) == 0 ? std::nullopt
                         : Finite(sum / static_cast<double>(Defined(s)));
}

Value Std(const PairStats& s, Moments m, double deviation) {
  if (s.used == 0 || !std::isfinite(deviation)) return std::nullopt;
  return std::sqrt(m.m2 / N(s));
}

#define S [](const PairStats& s, const ExtraStats&) -> Value
#define X [](const PairStats&, const ExtraStats& x) -> Value
using enum Better;
using enum Pass;

constexpr Metric kMetrics[] = {
    // clang-format off
    {"count", "elements of the tensor", kNeither, kFirst, S { return Count(s.count); }},
    {"equal", "elements with the same value on both sides", kLarger, kFirst, S { return Count(s.equal); }},
    {"rel_l2", "|t-g| / |g|, Euclidean norms", kSmaller, kFirst, RelL2},
    {"cosine", "g.t / (|g| |t|)", kLarger, kFirst, Cosine},
    {"cosine_distance", "1 - cosine, without its cancellation", kSmaller, kFirst, CosineDistance},
    {"max_abs", "max |t-g|", kSmaller, kFirst, S { return Extreme(s, s.max_abs, s.diff_kind); }},
    {"mean_abs", "mean |t-g|", kSmaller, kFirst, S { return Mean(s, s.sum_abs); }},
    {"rmse", "sqrt(mean (t-g)^2)", kSmaller, kFirst, S { return s.used == 0 ? std::nullopt : Finite(NormError(s) / std::sqrt(N(s))); }},
    {"max_rel", "max |t-g| / |g| where g != 0", kSmaller, kFirst, S { return Defined(s) == 0 ? std::nullopt : Value(s.max_rel); }},
    {"mean_rel", "mean |t-g| / |g| where g != 0", kSmaller, kFirst, S { return OverDefined(s, s.sum_rel); }},
    {"accumulated_rel", "sum |t-g| / |g| where g != 0", kSmaller, kFirst, S { return Defined(s) == 0 ? std::nullopt : Finite(s.sum_rel); }},
    {"mape", "100 mean_rel, percent", kSmaller, kFirst, S { return OverDefined(s, 100 * s.sum_rel); }},
    {"snr_db", "10 log10(|g|^2 / |t-g|^2)", kLarger, kFirst, S { return Decibels(s, NormGolden(s) * NormGolden(s), NormError(s) * NormError(s)); }},
    {"psnr_db", "10 log10(max|g|^2 / mean (t-g)^2)", kLarger, kFirst, S { return s.used == 0 ? std::nullopt : Decibels(s, PeakPower(s), NormError(s) * NormError(s) / N(s)); }},
    {"within_1e3", "share of |t-g| / |g| <= 0.001 where g != 0", kLarger, kFirst, S { return OverDefined(s, static_cast<double>(s.within_1e3)); }},
    {"within_5e3", "share of |t-g| / |g| <= 0.005 where g != 0", kLarger, kFirst, S { return OverDefined(s, static_cast<double>(s.within_5e3)); }},
    {"allclose", "share of |t-g| <= atol + rtol |g|", kLarger, kFirst, S { return Mean(s, static_cast<double>(s.close)); }},
    {"norm_ratio", "|t| / |g|", kNeither, kFirst, NormRatio},
    {"min_golden", "smallest golden value", kNeither, kFirst, S { return Extreme(s, s.min_golden, s.golden_kind); }},
    {"max_golden", "largest golden value", kNeither, kFirst, S { return Extreme(s, s.max_golden, s.golden_kind); }},
    {"mean_golden", "mean of golden", kNeither, kFirst, S { return s.used == 0 ? std::nullopt : Finite(s.golden.mean); }},
    {"std_golden", "population standard deviation of golden", kNeither, kFirst, S { return Std(s, s.golden, DeviationGolden(s)); }},
    {"l2_golden", "Euclidean norm of golden", kNeither, kFirst, S { return s.used == 0 ? std::nullopt : Finite(NormGolden(s)); }},
    {"min_target", "smallest target value", kNeither, kFirst, S { return Extreme(s, s.min_target, s.target_kind); }},
    {"max_target", "largest target value", kNeither, kFirst, S { return Extreme(s, s.max_target, s.target_kind); }},
    {"mean_target", "mean of target", kNeither, kFirst, S { return s.used == 0 ? std::nullopt : Finite(s.target.mean); }},
    {"std_target", "population standard deviation of target", kNeither, kFirst, S { return Std(s, s.target, DeviationTarget(s)); }},
    {"l2_target", "Euclidean norm of target", kNeither, kFirst, S { return s.used == 0 ? std::nullopt : Finite(NormTarget(s)); }},
    {"nan_golden", "NaN elements of golden", kSmaller, kFirst, S { return Count(s.nan_golden); }},
    {"nan_target", "NaN elements of target", kSmaller, kFirst, S { return Count(s.nan_target); }},
    {"inf_golden", "infinite elements of golden", kSmaller, kFirst, S { return Count(s.inf_golden); }},
    {"inf_target", "infinite elements of target", kSmaller, kFirst, S { return Count(s.inf_target); }},
    {"rel_undefined", "finite elements with g = 0", kNeither, kFirst, S { return Count(s.rel_undefined); }},
    {"kl_minmax", "sum p_t ln(p_t / p_g), p = x / sum x, x scaled to [2^-23, 1] by min and max", kSmaller, kExtra, X { return x.kl_minmax; }},
    {"kl_softmax", "sum p_g ln(p_g / p_t), p = softmax of the whole tensor", kSmaller, kExtra, X { return x.kl_softmax; }},
    {"diff1", "sum |t-g| / sum |g|", kSmaller, kExtra, X { return x.diff1; }},
    {"diff3_max", "max of |t-g| / (|g| + 1e-9) where |g| > 1e-6, else |t-g|", kSmaller, kExtra, X { return x.diff3_max; }},
    {"diff3_mean", "mean of the same", kSmaller, kExtra, X { return x.diff3_mean; }},
    {"diff4_greater", "share of t > g among the elements that differ", kNeither, kExtra, X { return x.greater_share; }},
    {"diff4_less", "share of t < g among the elements that differ", kNeither, kExtra, X { return x.less_share; }},
// clang-format on
}
;
#undef S
#undef X

}  // namespace

static_assert(std::size(kMetrics) < 256);

std::span<const Metric> AllMetrics() { return kMetrics; }

const Metric* FindMetric(std::string_view name) {
  const auto* found =
      std::find_if(std::begin(kMetrics), std::end(kMetrics),
                   [&](const Metric& m) { return m.name == name; });
  return found == std::end(kMetrics) ? nullptr : found;
}

Result<const Metric*> MetricNamed(std::string_view name) {
  if (const Metric* metric = FindMetric(name)) return metric;
  std::vector<std::string_view> names;
  for (const Metric& metric : kMetrics) names.push_back(metric.name);
  return Usage("unknown metric '{}'", name)
      .Hint(DidYouMean(name, names, "'assay list metrics' shows all"));
}

std::string UndefinedReason(const PairStats& s) {
  if (s.count == 0) return "no elements";
  if (s.used == 0) return "no element is finite on both sides";
  const double sums = s.SumSquaresGolden() + s.SumSquaresTarget() + s.sum_dd +
                      100 * s.sum_rel + s.sum_gt;
  if (!std::isfinite(sums)) return "a sum overflows float64";
  if (std::isnan(NormGolden(s) + NormTarget(s) + NormError(s) +
                 DeviationGolden(s) + DeviationTarget(s))) {
    return "a sum of squares underflows float64";
  }
  if (Defined(s) == 0) return "golden is zero everywhere: no relative error";
  return "";
}

void MetricValues::Set(const Metric& metric, std::optional<Number> value) {
  const Number number = value.value_or(Number());
  packed_.push_back({number.raw, number.kind, value.has_value(),
                     static_cast<uint8_t>(&metric - kMetrics)});
}

std::vector<MetricValues::Entry> MetricValues::entries() const {
  std::vector<Entry> out;
  out.reserve(packed_.size());
  for (const Packed& p : packed_) {
    out.push_back({kMetrics[p.metric].name, p.Value()});
  }
  return out;
}

bool MetricValues::Has(std::string_view name) const {
  return std::ranges::any_of(packed_, [&](const Packed& p) {
    return kMetrics[p.metric].name == name;
  });
}

std::optional<double> MetricValues::Get(std::string_view name) const {
  for (const Packed& p : packed_) {
    if (kMetrics[p.metric].name != name) continue;
    return p.defined ? std::optional(p.Value()->AsDouble()) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace assay
