// The levels above `type`: the user's thresholds, a trusted run.
#include <gtest/gtest.h>

#include "judge/evidence.h"

namespace assay {
namespace {

using enum DType;
using enum Verdict;

JudgeOptions FailOnly(const std::vector<std::string>& rules) {
  JudgeOptions options;
  for (const std::string& rule : rules) {
    options.fail_on.push_back(*FailOn::Parse(rule));
  }
  return options;
}

// max_abs is 2, count 4, equal 3.
Case TwoOff(Verdict verdict, std::string why) {
  return {"",           kF32,    kF32,        {1, 2, 3, 4},
          {1, 2, 3, 6}, verdict, "threshold", std::move(why)};
}

TEST(Threshold, EveryOperator) {
  const struct {
    std::string rule;
    Verdict verdict;
  } kRows[] = {{"max_abs<2", kPass},     {"max_abs<2.5", kFail},
               {"max_abs<=2", kFail},    {"max_abs<=1.5", kPass},
               {"max_abs>2", kPass},     {"max_abs>1.5", kFail},
               {"max_abs>=2", kFail},    {"max_abs>=2.5", kPass},
               {" max_abs > 1 ", kFail}, {"count<5", kFail},
               {"max_abs>-inf", kFail},  {"max_abs>inf", kPass}};
  for (const auto& row : kRows) {
    Case c = TwoOff(row.verdict,
                    row.verdict == kFail ? row.rule : "within the threshold");
    c.what = row.rule;
    ExpectCase(c, FailOnly({row.rule}));
  }
}

TEST(Threshold, OneOfSeveralIsEnough) {
  ExpectCase(TwoOff(kFail, "max_abs>1"), FailOnly({"max_abs>1", "cosine<0"}));
  ExpectCase(TwoOff(kFail, "max_abs>1"), FailOnly({"cosine<0", "max_abs>1"}));
  ExpectCase(TwoOff(kPass, "within"), FailOnly({"cosine<0", "max_abs>3"}));
}

TEST(Threshold, FloorNamesMetricAndLimit) {
  const Judgement j = JudgeCase(TwoOff(kPass, ""), FailOnly({"max_abs>3"}));
  EXPECT_EQ(j.floor->metric, "max_abs");
  EXPECT_EQ(j.floor->value, 3.0);
}

// A number that cannot be had does not pass.
TEST(Threshold, MetricWithoutValueFails) {
  const Case zero = {"max_rel where golden is zero",
                     kF32,
                     kF32,
                     {0, 0},
                     {1, 2},
                     kFail,
                     "threshold",
                     "max_rel has no value here: golden is zero everywhere"};
  ExpectCase(zero, FailOnly({"max_rel>0.1"}));
  const Case large = {
      "overflow",  kF64,  kF64,        {1e300, -1e300},
      {-1e300, 2}, kFail, "threshold", "a sum overflows float64"};
  ExpectCase(large, FailOnly({"rel_l2>0.1"}));
}

TEST(Threshold, ReplacesTheTypeLevel) {
  const Values x = Floats(100);
  ExpectCase({"looser", kF32, kF32, x, Scaled(x, 1.01), kPass, "threshold", ""},
             FailOnly({"cosine<0.99"}));
  ExpectCase(
      {"stricter", kF32, kF32, x, Shaken(x, 0x1p-23), kFail, "threshold", ""},
      FailOnly({"max_abs>0"}));
}

TEST(Threshold, TolerancesCountElements) {
  const auto judged = [](double atol, double rtol) {
    const PairStats stats =
        StatsOf(kF32, {1, 2, 3, 100}, kF32, {1, 2.5, 3, 101}, {atol, rtol});
    const ExtraStats extra;
    return Judge({.stats = stats, .extra = extra}, {.tolerances = true});
  };
  EXPECT_EQ(judged(1, 0).verdict, kPass);
  EXPECT_EQ(judged(0, 0.25).verdict, kPass);
  EXPECT_EQ(judged(0.5, 0.01).verdict, kPass);
  EXPECT_EQ(judged(0.5, 0).verdict, kFail);
  EXPECT_EQ(judged(0, 0).why, "2 of 4 elements are outside atol and rtol");
  EXPECT_EQ(judged(1, 0).floor->level, "threshold");
}

TEST(FailOn, SaysWhatIsWrong) {
  const struct {
    std::string text, what, hint;
  } kRows[] = {
      {"cosine", "--fail-on 'cosine' does not read METRIC<NUMBER",
       "for example --fail-on 'cosine<0.99'"},
      {"cosine<", "does not read METRIC<NUMBER", "for example"},
      {"cosine<=", "does not read METRIC<NUMBER", "for example"},
      {"cosine<x", "does not read METRIC<NUMBER", "for example"},
      {"cosine<0.9 0.8", "does not read METRIC<NUMBER", "for example"},
      {"cosine<nan", "does not read METRIC<NUMBER", "for example"},
      {"cosine==1", "does not read METRIC<NUMBER", "for example"},
      {"", "does not read METRIC<NUMBER", "for example"},
      {"cosin<0.9", "unknown metric 'cosin'",
       "did you mean 'cosine'? 'assay list metrics' shows all"},
      {"<0.9", "unknown metric ''", "'assay list metrics' shows all"},
      {"zzzzzzzz>1", "unknown metric 'zzzzzzzz'",
       "'assay list metrics' shows all"},
  };
  for (const auto& row : kRows) {
    const auto rule = FailOn::Parse(row.text);
    ASSERT_FALSE(rule) << row.text;
    EXPECT_EQ(rule.error().code, ErrorCode::kUsage);
    EXPECT_NE(rule.error().what.find(row.what), std::string::npos)
        << rule.error().what;
    EXPECT_TRUE(rule.error().hint.starts_with(row.hint)) << rule.error().hint;
  }
}

TEST(FailOn, KnowsEveryMetric) {
  for (const Metric& metric : AllMetrics()) {
    const auto rule = FailOn::Parse(fmt::format("{}>=1e-3", metric.name));
    ASSERT_TRUE(rule) << metric.name;
    EXPECT_EQ(rule->metric, &metric);
    EXPECT_EQ(rule->limit, 1e-3);
  }
}

TEST(Measured, TheTrustedRunIsTheFloor) {
  const Values x = Floats(1000);
  const auto off = [&](double by, Verdict verdict, std::string why) {
    return Case{fmt::format("{}", by), kF32,    kF32,       x,
                Shaken(x, by),         verdict, "measured", std::move(why)};
  };
  ExpectCase(off(0.009, kPass, "is within 10 times the trusted run's 0.001"),
             {}, 0.001);
  ExpectCase(off(0.011, kFail, "is more than 10 times the trusted run's"), {},
             0.001);
  ExpectCase(off(0.011, kPass, "within 20 times"), {.noise_factor = 20}, 0.001);
  const Judgement j = JudgeCase(off(0.02, kFail, ""), {}, 0.001);
  EXPECT_EQ(j.floor->metric, "rel_l2");
  EXPECT_NEAR(*j.floor->value, 0.01, 1e-12);
  EXPECT_NEAR(*j.floor->margin, 2, 0.01);
}

TEST(Measured, WithoutAFloorTheTypeDecides) {
  const Values x = Floats(1000);
  const Case c = {"", kF32, kF32, x, Shaken(x, 1e-9), kPass, "type", ""};
  for (const double noise : {0.0, -1.0, HUGE_VAL, std::nan("")}) {
    ExpectCase(c, {}, noise);
  }
  ExpectCase(c, {});
}

TEST(Measured, IsBelowTheUsersThresholds) {
  const Values x = Floats(1000);
  ExpectCase({"", kF32, kF32, x, Shaken(x, 0.1), kPass, "threshold", ""},
             FailOnly({"cosine<0.9"}), 0.001);
}

}  // namespace
}  // namespace assay
