#include "judge/by_summary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judge/summary_limits.h"

namespace assay {
namespace {

TensorSummary Of(double min, double max, double mean) {
  return {.min = min,
          .max = max,
          .mean = mean,
          .l2 = {},
          .nan = {},
          .inf = {},
          .negative_inf = {},
          .hash = "",
          .shape_known = true};
}

TensorSummary WithNan(TensorSummary s, uint64_t nan) {
  s.nan = nan;
  return s;
}

TensorSummary WithInf(TensorSummary s, uint64_t negative, uint64_t positive) {
  s.inf = negative + positive;
  s.negative_inf = negative;
  return s;
}

TensorSummary Hash(std::string hash) {
  TensorSummary s;
  s.hash = std::move(hash);
  return s;
}

struct SummaryCase {
  TensorSummary golden, target;
  DType type;
  std::string_view verdict, evidence, why;
};

void ExpectRow(const SummaryCase& c) {
  Row row;
  JudgeBySummary({c.golden, c.target, c.type, c.type}, row);
  EXPECT_EQ(Name(row.verdict), c.verdict) << c.why;
  EXPECT_EQ(row.evidence, c.evidence) << c.why;
  EXPECT_EQ(row.why, c.why);
}

TEST(BySummary, OneRowOfEachKind) {
  const SummaryCase kCases[] = {
      {Of(-1, 1, 0), Of(-1, 1, 0), DType::kF32, "pass", "summary",
       "min, max, mean agree within rounding; only statistics were kept"},
      {Of(-1, 1, 0), Of(-1, 1.0001, 0), DType::kF16, "pass", "summary",
       "min, max, mean agree within rounding; only statistics were kept"},
      {Of(-1, 1, 0), Of(-1, 1.5, 0), DType::kF32, "unsure", "summary",
       "max is 1 in golden and 1.5 in target; only statistics were kept"},
      {Of(3, 3, 3), Of(3, 3, 3), DType::kF32, "trivial", "summary",
       "min, max, mean agree, and all values are equal"},
      {Of(-1, 8, 0), Of(-1, 0.5, 0), DType::kF8E5M2, "unsure", "summary",
       "max is 8 in golden and 0.5 in target; only statistics were kept"},
      {Hash("0a"), Hash("0a"), DType::kF32, "pass", "hash",
       "the hashes are equal: the same bytes"},
      {Hash("0a"), Hash("0b"), DType::kF32, "unsure", "hash",
       "the bytes differ (hash 0a and 0b); a hash does not say how far"},
      {Hash("0a"), Of(0, 1, 0), DType::kF32, "skipped", "summary",
       "no statistic is known on both sides"},
  };
  for (const SummaryCase& c : kCases) ExpectRow(c);
}

TEST(BySummary, NanAndInf) {
  const SummaryCase kCases[] = {
      {Of(-1, 1, 0), Of(-1, NAN, 0), DType::kF32, "fail", "summary",
       "only target has NaN"},
      {Of(-1, INFINITY, 0), Of(-1, NAN, 0), DType::kF32, "fail", "summary",
       "only target has NaN"},
      {WithNan(Of(-1, 1, 0), 3), WithNan(Of(-1, 1, 0), 3), DType::kF32, "pass",
       "summary",
       "min, max, mean agree within rounding; only statistics were kept; both "
       "sides have NaN, where is not known"},
      {Of(-1, 1, NAN), Of(-1, 1, NAN), DType::kF32, "pass", "summary",
       "min, max agree within rounding; only statistics were kept; both sides "
       "have NaN, where is not known"},
      {Of(NAN, NAN, NAN), Of(NAN, NAN, NAN), DType::kF32, "trivial", "summary",
       "both sides have NaN, where is not known; no statistic is left to "
       "compare"},
      {Of(NAN, NAN, NAN), WithNan(Of(-1, 1, 0), 1), DType::kF32, "skipped",
       "summary",
       "both sides have NaN, where is not known; one side left them out of its "
       "statistics"},
      {Of(-1, INFINITY, INFINITY), Of(-1, INFINITY, INFINITY), DType::kF32,
       "pass", "summary",
       "min agree within rounding; only statistics were kept; both sides have "
       "Inf, where is not known"},
      {Of(-1, INFINITY, 0), Of(-INFINITY, 1, 0), DType::kF32, "fail", "summary",
       "only golden has Inf"},
      {Of(-INFINITY, INFINITY, 0), Of(-1, INFINITY, 0), DType::kF32, "fail",
       "summary", "only golden has -Inf"},
      {WithInf(Of(-1, 1, 0), 0, 2), WithInf(Of(-1, 1, 0), 2, 0), DType::kF32,
       "fail", "summary", "only golden has Inf"},
      {WithInf(Of(-1, 1, 0), 1, 1), WithInf(Of(-1, 1, 0), 0, 2), DType::kF32,
       "fail", "summary", "only golden has -Inf"},
      {Of(-1, 1, INFINITY), Of(-1, 1, 0), DType::kF16, "unsure", "summary",
       "mean is inf in golden and 0 in target; only statistics were kept"},
      {WithNan(Of(-1, 1, 0), 0), WithNan(Of(-1, 1, 0), 3), DType::kF32, "fail",
       "summary", "only target has NaN"},
      {WithNan(Of(-1, 1, 0), 2), WithNan(Of(-1, 1, 0), 3), DType::kF32,
       "unsure", "summary",
       "the numbers of NaN or Inf differ; only statistics were kept"},
  };
  for (const SummaryCase& c : kCases) ExpectRow(c);
}

// A tensor against its own statistics.
TEST(BySummary, ValuesAgainstStatistics) {
  PairStats stats;
  stats.count = 4;
  stats.used = 3;
  stats.inf_golden = 1;
  Row row;
  JudgeBySummary(
      {Describe(stats), Of(-1, INFINITY, INFINITY), DType::kF32, DType::kF32},
      row);
  EXPECT_NE(Name(row.verdict), "fail") << row.why;
}

// What the user's limits make of statistics that agree.
std::string Limited(const std::string& fail_on, bool tolerances,
                    const std::string& hash = "") {
  const TensorSummary s{.min = -1.0, .max = 2.0, .mean = 0.5, .hash = hash};
  Row row;
  JudgeBySummary({s, s, DType::kF32, DType::kF32}, row);
  JudgeOptions options{.tolerances = tolerances};
  if (!fail_on.empty()) options.fail_on = {*FailOn::Parse(fail_on)};
  LimitSummaryRow(options, row);
  return std::string(Name(row.verdict)) + ": " + row.why;
}

TEST(SummaryLimits, WhatStatisticsTellDecides) {
  EXPECT_EQ(Limited("max_target>1.5", false),
            "fail: max_target>1.5: it is 2; only statistics were kept");
  EXPECT_TRUE(Limited("max_target>2.5", false).starts_with("pass: "));
  EXPECT_EQ(Limited("cosine<0.9", false),
            "unsure: min, max, mean agree within rounding; only statistics "
            "were kept; cosine<0.9 cannot be checked without the values");
  EXPECT_TRUE(Limited("", true).starts_with("unsure: "));
  EXPECT_TRUE(Limited("cosine<0.9", true, "1f").starts_with("pass: "));
}

}  // namespace

}  // namespace assay
