#include "core/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/plain_stats.h"

namespace assay {
namespace {

constexpr double kInf = HUGE_VAL;
constexpr double kNone = NAN;  // no value; no metric is ever NaN
constexpr int64_t kBig = int64_t{1} << 62;

using Reals = std::vector<double>;
using Ints = std::vector<int64_t>;

constexpr size_t kCases = 9;
const PairStats& Case(size_t i) {
  static const PairStats kStats[kCases] = {
      StatsOf(Reals{3, -4}, Reals{3, -2}),
      StatsOf(Reals{NAN, 3, -4, NAN, 1}, Reals{1, 3, -2, NAN, NAN}),
      StatsOf(Reals{3, kInf, -4, kInf, 1}, Reals{3, kInf, -2, -kInf, kInf}),
      StatsOf(Reals{0, -0.0}, Reals{3, -4}),
      StatsOf(Reals{0, -0.0}, Reals{0, 0}),
      StatsOf(Reals{}, Reals{}),
      StatsOf(Reals{-2}, Reals{-2.5}),
      StatsOf(Ints{kBig, kBig}, Ints{kBig, kBig + 1}),
      StatsOf(Reals{1e200, 1e200}, Reals{1e200, 2e200}),
  };
  return kStats[i];
}

// What the extra passes would leave; only handed through.
constexpr ExtraStats kExtras = {1, 2, 3, 4, 5, 6, 7};

const double k13 = std::sqrt(13), kCos = 17 / (5 * k13);
const double kRms = std::sqrt(12.5), kB = 0x1p62, kE = 1 / kB;
const double kDb6 = 10 * std::log10(6.25), kDb8 = 10 * std::log10(8);
const double kDb16 = 10 * std::log10(16);
const double kDbB = 20 * std::log10(kB), kDb3 = 10 * std::log10(2);

const struct {
  std::string_view name;
  double values[kCases];
} kTable[] = {
    // clang-format off
    //                  normal NaN    Inf    0 golden 0 both empty  one    int64 overflow
    {"count",           {2,    5,     5,     2,     2,     0,     1,     2,     2}},
    {"equal",           {1,    1,     2,     0,     2,     0,     0,     1,     1}},
    {"rel_l2",          {0.4,  0.4,   0.4,   kInf,  0,     kNone, 0.25,  kE / std::sqrt(2), kNone}},
    {"cosine",          {kCos, kCos,  kCos,  0,     1,     kNone, 1,     1,     kNone}},
    {"cosine_distance", {1 - kCos, 1 - kCos, 1 - kCos, 1, 0, kNone, 0,   kE * kE / 4, kNone}},
    {"max_abs",         {2,    2,     2,     4,     0,     kNone, 0.5,   1,     1e200}},
    {"mean_abs",        {1,    1,     1,     3.5,   0,     kNone, 0.5,   0.5,   5e199}},
    {"rmse",            {std::sqrt(2), std::sqrt(2), std::sqrt(2), kRms, 0, kNone, 0.5, std::sqrt(0.5), kNone}},
    {"max_rel",         {0.5,  0.5,   0.5,   kNone, kNone, kNone, 0.25,  kE,    1}},
    {"mean_rel",        {0.25, 0.25,  0.25,  kNone, kNone, kNone, 0.25,  kE / 2, 0.5}},
    {"accumulated_rel", {0.5,  0.5,   0.5,   kNone, kNone, kNone, 0.25,  kE,    1}},
    {"mape",            {25,   25,    25,    kNone, kNone, kNone, 25,    50 * kE, 50}},
    {"snr_db",          {kDb6, kDb6,  kDb6,  -kInf, kInf,  kNone, kDb16, kDbB + kDb3, kNone}},
    {"psnr_db",         {kDb8, kDb8,  kDb8,  -kInf, kInf,  kNone, kDb16, kDbB + kDb3, kNone}},
    {"within_1e3",      {0.5,  0.5,   0.5,   kNone, kNone, kNone, 0,     1,     0.5}},
    {"within_5e3",      {0.5,  0.5,   0.5,   kNone, kNone, kNone, 0,     1,     0.5}},
    {"allclose",        {0.5,  0.5,   0.5,   0,     1,     kNone, 0,     1,     0.5}},
    {"norm_ratio",      {k13 / 5, k13 / 5, k13 / 5, kInf, 1, kNone, 1.25, 1,    kNone}},
    {"min_golden",      {-4,   -4,    -4,    0,     0,     kNone, -2,    kB,    1e200}},
    {"max_golden",      {3,    3,     3,     0,     0,     kNone, -2,    kB,    1e200}},
    {"mean_golden",     {-0.5, -0.5,  -0.5,  0,     0,     kNone, -2,    kB,    1e200}},
    {"std_golden",      {3.5,  3.5,   3.5,   0,     0,     kNone, 0,     0,     0}},
    {"l2_golden",       {5,    5,     5,     0,     0,     kNone, 2,     std::sqrt(2) * kB, kNone}},
    {"min_target",      {-2,   -2,    -2,    -4,    0,     kNone, -2.5,  kB,    1e200}},
    {"max_target",      {3,    3,     3,     3,     0,     kNone, -2.5,  kB,    2e200}},
    {"mean_target",     {0.5,  0.5,   0.5,   -0.5,  0,     kNone, -2.5,  kB,    1.5e200}},
    {"std_target",      {2.5,  2.5,   2.5,   3.5,   0,     kNone, 0,     0,     kNone}},
    {"l2_target",       {k13,  k13,   k13,   5,     0,     kNone, 2.5,   std::sqrt(2) * kB, kNone}},
    {"nan_golden",      {0,    2,     0,     0,     0,     0,     0,     0,     0}},
    {"nan_target",      {0,    2,     0,     0,     0,     0,     0,     0,     0}},
    {"inf_golden",      {0,    0,     2,     0,     0,     0,     0,     0,     0}},
    {"inf_target",      {0,    0,     3,     0,     0,     0,     0,     0,     0}},
    {"rel_undefined",   {0,    0,     0,     2,     2,     0,     0,     0,     0}},
    {"kl_minmax",       {1,    1,     1,     1,     1,     1,     1,     1,     1}},
    {"kl_softmax",      {2,    2,     2,     2,     2,     2,     2,     2,     2}},
    {"diff1",           {3,    3,     3,     3,     3,     3,     3,     3,     3}},
    {"diff3_max",       {4,    4,     4,     4,     4,     4,     4,     4,     4}},
    {"diff3_mean",      {5,    5,     5,     5,     5,     5,     5,     5,     5}},
    {"diff4_greater",   {6,    6,     6,     6,     6,     6,     6,     6,     6}},
    {"diff4_less",      {7,    7,     7,     7,     7,     7,     7,     7,     7}},
    // clang-format on
};

void ExpectValue(const Metric& metric, size_t which, double wanted) {
  const auto value = metric.value(Case(which), kExtras);
  ASSERT_EQ(value.has_value(), !std::isnan(wanted))
      << metric.name << " of case " << which;
  if (!value || value->AsDouble() == wanted) return;
  EXPECT_NEAR(value->AsDouble(), wanted, 1e-14 * std::fabs(wanted))
      << metric.name << " of case " << which;
}

TEST(Metrics, Table) {
  for (const auto& row : kTable) {
    const Metric* metric = FindMetric(row.name);
    ASSERT_NE(metric, nullptr) << row.name;
    for (size_t i = 0; i < kCases; ++i) ExpectValue(*metric, i, row.values[i]);
  }
}

TEST(Metrics, TheTableIsComplete) {
  ASSERT_EQ(AllMetrics().size(), std::size(kTable));
  for (size_t i = 0; i < std::size(kTable); ++i) {
    EXPECT_EQ(AllMetrics()[i].name, kTable[i].name);
    EXPECT_FALSE(AllMetrics()[i].formula.empty());
  }
  EXPECT_EQ(FindMetric("cosin"), nullptr);
  EXPECT_EQ(*MetricNamed("cosine"), FindMetric("cosine"));
  const Error error = MetricNamed("cosin").error();
  EXPECT_EQ(error.what, "unknown metric 'cosin'");
  EXPECT_TRUE(error.hint.starts_with("did you mean 'cosine'?"));
}

TEST(Metrics, SayWhyTheyHaveNoValue) {
  const std::string_view kReasons[kCases] = {
      "",
      "",
      "",
      "golden is zero everywhere: no relative error",
      "golden is zero everywhere: no relative error",
      "no elements",
      "",
      "",
      "a sum overflows float64"};
  for (size_t i = 0; i < kCases; ++i) {
    EXPECT_EQ(UndefinedReason(Case(i)), kReasons[i]) << i;
  }
  EXPECT_EQ(UndefinedReason(StatsOf(Reals{1e-307}, Reals{1})),  // mape
            "a sum overflows float64");
  EXPECT_EQ(UndefinedReason(StatsOf(Reals{NAN}, Reals{1})),
            "no element is finite on both sides");
}

TEST(Metrics, KeepWholeNumbersExact) {
  using enum NumberKind;
  const struct {
    std::string_view name;
    NumberKind kind;
    uint64_t raw;
  } kRows[] = {
      {"max_abs", kUnsigned, 1},
      {"max_golden", kSigned, kBig},
      {"max_target", kSigned, kBig + 1},
      {"count", kUnsigned, 2},
  };
  for (const auto& row : kRows) {
    const auto value = FindMetric(row.name)->value(Case(7), {});
    ASSERT_TRUE(value);
    EXPECT_EQ(value->kind, row.kind) << row.name;
    EXPECT_EQ(value->raw.uint, row.raw) << row.name;
  }
}

TEST(Metrics, ExtrasHaveNoValueUnlessRun) {
  for (const Metric& metric : AllMetrics()) {
    if (metric.pass != Pass::kExtra) continue;
    EXPECT_FALSE(metric.value(Case(0), {})) << metric.name;
  }
}

// A norm or sum beyond float64 divides nothing: no value, not 0.
TEST(Metrics, HaveNoValueWhereSumsOverflow) {
  const Reals huge = {1e200, 1}, plain = {1, 2}, tiny = {1e-165, 3e-165};
  const struct {
    std::string_view name;
    Reals golden, target;
    double value;
  } kRows[] = {
      {"cosine", huge, plain, kNone},
      {"cosine", plain, huge, kNone},
      {"cosine_distance", huge, plain, kNone},
      {"max_rel", {1e-300, 1}, {1e300, 1}, kInf},
      {"mean_rel", {1e-300, 1}, {1e300, 1}, kNone},
      {"psnr_db", tiny, plain, kNone},
      {"std_golden", tiny, plain, kNone},
      {"std_target", plain, tiny, kNone},
      {"std_golden", {1e-165, 1e-165}, plain, 0},
  };
  for (const auto& row : kRows) {
    const PairStats s = StatsOf(row.golden, row.target);
    const auto value = FindMetric(row.name)->value(s, {});
    EXPECT_EQ(value ? value->AsDouble() : -1,
              std::isnan(row.value) ? -1 : row.value)
        << row.name;
    if (!value) {
      EXPECT_NE(UndefinedReason(s), "") << row.name;
    }
  }
}

// Near 1 the cosine is all rounding; its distance is not.
TEST(Metrics, CosineDistanceKeepsItsDigits) {
  const struct {
    Reals golden, target;
    double distance;
  } kRows[] = {
      {{1, 0}, {1, 1e-9}, 5e-19}, {{1, 1e-12}, {1, -1e-12}, 2e-24},
      {{1, 0}, {-1, 0}, 2},       {{1, 0}, {0, 1}, 1},
      {{7, 7}, {7, 7}, 0},
  };
  for (const auto& row : kRows) {
    const PairStats s = StatsOf(row.golden, row.target);
    const double got = FindMetric("cosine_distance")->value(s, {})->AsDouble();
    EXPECT_NEAR(got, row.distance, 1e-6 * row.distance);
    const double cosine = FindMetric("cosine")->value(s, {})->AsDouble();
    EXPECT_NEAR(cosine, 1 - row.distance, 1e-15);
  }
}

}  // namespace
}  // namespace assay
