// Each rule: a case that it must see, and near misses that it must not.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "advice/rule.h"

namespace assay {
namespace {

using Metrics = std::map<std::string, double>;

Row MakeRow(const std::string& op, Verdict verdict, const Metrics& metrics,
            const std::string& type = "Conv2D") {
  Row row{.name = op + ":output:0", .op = op, .type = type, .port = "output"};
  row.verdict = verdict;
  if (verdict == Verdict::kFail || verdict == Verdict::kUnsure) {
    row.cause = Cause::kUnknown;
  }
  row.golden = {{.file = op, .dtype = "f32"}};
  row.target = {{.file = op, .dtype = "f16"}};
  for (const Metric& metric : AllMetrics()) {
    const auto found = metrics.find(std::string(metric.name));
    if (found != metrics.end()) row.metrics.Set(metric, Number(found->second));
  }
  return row;
}

Row Good(const std::string& op) {
  return MakeRow(op, Verdict::kPass,
                 {{"count", 100}, {"rel_l2", 1e-4}, {"norm_ratio", 1}});
}

Row Bad(const std::string& op, Metrics metrics = {{"rel_l2", 0.3}}) {
  metrics.emplace("count", 100);
  return MakeRow(op, Verdict::kUnsure, metrics);
}

Comparison Of(std::vector<Row> rows) {
  Comparison c;
  c.golden.source = "golden";
  c.target.source = "npu";
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].number = i;
    if (!rows[i].order) rows[i].order = static_cast<int64_t>(i);
    if (rows[i].cause == Cause::kOrigin) c.origins.push_back(rows[i].op);
  }
  c.rows = std::move(rows);
  c.golden_coverage.total = c.golden_coverage.compared = c.rows.size();
  c.target_coverage = c.golden_coverage;
  return c;
}

std::set<std::string> RulesOf(const Comparison& c) {
  std::set<std::string> rules;
  for (const Finding& finding : Advise(c)) rules.insert(finding.rule);
  return rules;
}

bool Says(const Comparison& c, const std::string& rule) {
  return RulesOf(c).contains(rule);
}

template <typename Change>
Row Changed(Row row, const Change& change) {
  change(row);
  return row;
}

Row Inherited(Row row) {
  row.cause = Cause::kInherited;
  return row;
}

TEST(Rules, NoneOnACleanPair) {
  EXPECT_TRUE(Advise(Of({Good("a"), Good("b"), Good("c")})).empty());
  EXPECT_TRUE(Advise(Of({})).empty());
  Comparison odd = Of({MakeRow("zero", Verdict::kTrivial, {}),
                       MakeRow("text", Verdict::kSkipped, {}), Good("a")});
  EXPECT_TRUE(Advise(odd).empty());
}

TEST(Rules, FindingsAreComplete) {
  const Comparison c =
      Of({Changed(Bad("a b"), [](Row& r) { r.cause = Cause::kOrigin; }),
          Inherited(Bad("c"))});
  const std::vector<Finding> findings = Advise(c);
  ASSERT_FALSE(findings.empty());
  for (size_t i = 0; i < findings.size(); ++i) {
    EXPECT_EQ(findings[i].rank, static_cast<int>(i) + 1);
    EXPECT_NE(findings[i].text, "");
    EXPECT_FALSE(findings[i].evidence.empty());
  }
  EXPECT_EQ(findings[0].next, "assay show run.assay 'a b:output:0'");
}

TEST(Rules, NamesAreUniqueAndExplained) {
  std::set<std::string_view> names;
  for (const Rule* rule : AllRules()) {
    EXPECT_TRUE(names.insert(rule->name).second) << rule->name;
    EXPECT_NE(rule->summary, "");
  }
}

TEST(Rules, Fp16Overflow) {
  const Metrics inf = {{"inf_target", 3}, {"inf_golden", 0}};
  EXPECT_TRUE(Says(Of({Bad("a", inf)}), "fp16-overflow"));
  EXPECT_FALSE(Says(Of({Inherited(Bad("a", inf))}), "fp16-overflow"));
  EXPECT_FALSE(Says(Of({Bad("a", {{"inf_target", 3}, {"inf_golden", 3}})}),
                    "fp16-overflow"));
  EXPECT_FALSE(Says(
      Of({Changed(Bad("a", inf), [](Row& r) { r.target[0].dtype = "f32"; })}),
      "fp16-overflow"));
}

TEST(Rules, WeightOverflow) {
  const auto heavy = [](Row& r) {
    r.weight = std::make_shared<const LargeWeight>(
        LargeWeight{"bn.variance", 21625750, "f16", 65504});
  };
  const Comparison c = Of({Changed(Bad("bn"), heavy)});
  EXPECT_TRUE(Says(c, "weight-overflow"));
  EXPECT_NE(
      Advise(c).front().text.find("bn.variance has values up to 2.163e+07"),
      std::string::npos);
  EXPECT_FALSE(Says(Of({Bad("bn")}), "weight-overflow"));
  EXPECT_FALSE(
      Says(Of({Inherited(Changed(Bad("bn"), heavy))}), "weight-overflow"));
}

TEST(Rules, InputsDiffer) {
  const auto input = [](Row& r) { r.port = "input"; };
  Row data = Bad("x");
  data.type = "Data";
  EXPECT_TRUE(Says(Of({data, Good("a")}), "inputs-differ"));
  EXPECT_TRUE(Says(Of({Changed(Bad("a"), input), Good("a")}), "inputs-differ"));
  // After another error, with a producer, without an order: not told.
  EXPECT_FALSE(Says(Of({Bad("a"), Changed(Bad("b"), input)}), "inputs-differ"));
  EXPECT_FALSE(Says(Of({Good("a"), Changed(Inherited(Bad("b")), input)}),
                    "inputs-differ"));
  Comparison unordered = Of({Changed(Bad("a"), input)});
  unordered.rows[0].order.reset();
  EXPECT_FALSE(Says(unordered, "inputs-differ"));
}

TEST(Rules, Likenesses) {
  const struct {
    std::string kind, rule;
  } kRows[] = {{"output", "swapped-outputs"},
               {"step", "step-shift"},
               {"transposed", "layout-mistake"}};
  for (const auto& row : kRows) {
    const auto like = [&](Row& r) {
      r.likeness =
          std::make_shared<const Likeness>(Likeness{row.kind, "other", 1e-4});
    };
    EXPECT_TRUE(Says(Of({Changed(Bad("a"), like)}), row.rule));
    EXPECT_FALSE(Says(Of({Bad("a")}), row.rule));
    EXPECT_FALSE(Says(Of({Changed(Good("a"), like)}), row.rule));
    for (const auto& other : kRows) {
      EXPECT_EQ(Says(Of({Changed(Bad("a"), like)}), other.rule),
                row.rule == other.rule);
    }
  }
}

TEST(Rules, ScaleError) {
  const Metrics scaled = {{"norm_ratio", 1.01},      {"rel_l2", 0.0101},
                          {"cosine_distance", 1e-7}, {"mean_rel", 0.01},
                          {"min_target", -1},        {"max_target", 1}};
  EXPECT_TRUE(Says(Of({Bad("a", scaled)}), "scale-error"));
  Metrics few = scaled, noisy = scaled, one = scaled, unlike = scaled;
  few["count"] = 8;
  noisy["cosine_distance"] = 1e-5;
  one["mean_rel"] = 0.001;      // one large element decides the norm
  unlike["norm_ratio"] = 11.5;  // much larger, and something else
  unlike["cosine_distance"] = 0.35;
  unlike["mean_rel"] = 20;
  for (const Metrics& metrics : {few, noisy, one, unlike}) {
    EXPECT_FALSE(Says(Of({Bad("a", metrics)}), "scale-error"));
  }
}

TEST(Rules, ConstantOutput) {
  const Metrics zeros = {{"min_target", 0},
                         {"max_target", 0},
                         {"min_golden", -1},
                         {"max_golden", 1}};
  EXPECT_TRUE(Says(Of({Bad("a", zeros)}), "constant-output"));
  Metrics both = zeros, few = zeros;
  both["min_golden"] = both["max_golden"] = 1;
  few["count"] = 4;
  EXPECT_FALSE(Says(Of({Bad("a", both)}), "constant-output"));
  EXPECT_FALSE(Says(Of({Bad("a", few)}), "constant-output"));
  EXPECT_FALSE(Says(Of({Inherited(Bad("a", zeros))}), "constant-output"));
}

TEST(Rules, Saturation) {
  const Metrics clipped = {{"min_target", -128},
                           {"max_target", 127},
                           {"min_golden", -100},
                           {"max_golden", 300}};
  const auto i8 = [](Row& r) { r.target[0].dtype = "i8"; };
  EXPECT_TRUE(Says(Of({Changed(Bad("a", clipped), i8)}), "saturation"));
  EXPECT_FALSE(Says(Of({Bad("a", clipped)}), "saturation"));  // f16
  Metrics inside = clipped;
  inside["max_golden"] = 127;
  EXPECT_FALSE(Says(Of({Changed(Bad("a", inside), i8)}), "saturation"));

  const auto worst = [](const std::vector<double>& targets) {
    return [=](Row& r) {
      for (const double t : targets) {
        r.worst.push_back({{0}, Number(9.0), Number(t)});
      }
    };
  };
  const Metrics six = {{"min_target", 0}, {"max_target", 6}};
  EXPECT_TRUE(
      Says(Of({Changed(Bad("a", six), worst({6, 6, 6}))}), "saturation"));
  EXPECT_FALSE(
      Says(Of({Changed(Bad("a", six), worst({6, 5, 6}))}), "saturation"));
  const auto both = [](Row& r) {
    for (const double g : {9.0, -9.0, 8.0}) {
      r.worst.push_back({{0}, Number(g), Number(g < 0 ? -6.0 : 6.0)});
    }
  };
  const Metrics around = {{"min_target", -6}, {"max_target", 6}};
  EXPECT_TRUE(Says(Of({Changed(Bad("a", around), both)}), "saturation"));
}

TEST(Rules, DangerousCast) {
  const auto types = [](const std::string& golden, const std::string& target,
                        const std::string& type) {
    return [=](Row& r) {
      r.golden[0].dtype = golden;
      r.target[0].dtype = target;
      r.type = type;
    };
  };
  const auto says = [&](const auto& change) {
    return Says(Of({Changed(Bad("a"), change)}), "dangerous-cast");
  };
  EXPECT_TRUE(says(types("f32", "i32", "Cast")));
  EXPECT_TRUE(says(types("f32", "i8", "")));
  EXPECT_TRUE(says(types("i32", "i32", "Cast")));
  EXPECT_FALSE(says(types("i32", "i32", "TopK")));
  EXPECT_FALSE(says(types("f32", "f16", "Cast")));
  EXPECT_FALSE(Says(Of({Changed(Good("a"), types("f32", "i32", "Cast"))}),
                    "dangerous-cast"));
}

TEST(Rules, ProblemNodeOrSinglePoint) {
  const auto origin = [](Row& r) { r.cause = Cause::kOrigin; };
  const Comparison reaches =
      Of({Good("a"), Changed(Bad("b"), origin), Inherited(Bad("c"))});
  EXPECT_EQ(RulesOf(reaches), std::set<std::string>{"problem-node"});
  const Comparison recovers =
      Of({Good("a"), Changed(Bad("b"), origin), Good("c")});
  EXPECT_EQ(RulesOf(recovers), std::set<std::string>{"single-point"});
  // The last operator itself, whichever of its outputs is bad.
  const auto second = [](Row& r) { r.index = 1; };
  const Row last = Changed(Bad("b"), origin);
  for (const Comparison& at_end :
       {Of({Good("a"), last}),
        Of({Good("a"), last, Changed(Good("b"), second)})}) {
    EXPECT_EQ(RulesOf(at_end), std::set<std::string>{"problem-node"});
    EXPECT_EQ(Advise(at_end)[0].text,
              "an error starts at b (Conv2D), which makes the last result: "
              "check its implementation, layout and calibration");
  }
  // Without causes the first bad row is meant; without an order nothing is.
  Comparison unknown = Of({Good("a"), Bad("b"), Bad("c")});
  EXPECT_EQ(RulesOf(unknown), std::set<std::string>{"problem-node"});
  EXPECT_EQ(Advise(unknown)[0].where, "b:output:0");
  for (Row& row : unknown.rows) row.order.reset();
  EXPECT_TRUE(Advise(unknown).empty());
}

TEST(Rules, ConsistentDrift) {
  const Row bad = Inherited(Bad("a"));
  EXPECT_TRUE(Says(Of({Good("x"), bad, bad, bad}), "consistent-drift"));
  EXPECT_FALSE(Says(Of({Good("x"), bad, bad}), "consistent-drift"));
  EXPECT_FALSE(Says(Of({Bad("x"), bad, bad, bad}), "consistent-drift"));
  const auto fails = [](Row& r) { r.verdict = Verdict::kFail; };
  EXPECT_FALSE(
      Says(Of({bad, bad, bad, Changed(bad, fails)}), "consistent-drift"));
}

TEST(Rules, MissingGolden) {
  const auto with = [](Side side, std::string status, std::string why) {
    Comparison c = Of({Good("a")});
    c.unpaired = {{side, "b", "b.npy", status, why}};
    return Says(c, "missing-golden");
  };
  const std::string why = "no golden tensor has this name";
  EXPECT_TRUE(with(Side::kTarget, "unpaired", why));
  EXPECT_FALSE(with(Side::kGolden, "unpaired", "no target tensor"));
  EXPECT_FALSE(with(Side::kTarget, "skipped", "does not match --only"));
  EXPECT_FALSE(with(Side::kTarget, "unpaired", "put in by the compiler"));
  for (const std::string what : {"a weight", "an input of the graph"}) {
    EXPECT_FALSE(
        with(Side::kTarget, "unpaired", "no golden tensor: w is " + what));
  }
}

TEST(Rules, CoverageGap) {
  const auto with = [](size_t compared, size_t missing,
                       const std::string& why) {
    Comparison c = Of(std::vector<Row>(compared, Good("a")));
    c.golden_coverage.total += missing;
    c.golden_coverage.unpaired = missing;
    for (size_t i = 0; i < missing; ++i) {
      c.unpaired.push_back({Side::kGolden, "b", "b.npy", "unpaired", why});
    }
    return Says(c, "coverage-gap");
  };
  EXPECT_TRUE(with(8, 2, "no target tensor has this name"));
  EXPECT_FALSE(with(95, 5, "no target tensor has this name"));
  EXPECT_FALSE(with(8, 20, "fused away into conv1"));
  EXPECT_FALSE(with(8, 20, "no golden tensor: w is a weight"));
}

TEST(Rules, CoverageGapSaysWhyAndWhatNext) {
  Comparison c = Of({});
  c.golden_coverage.total = c.golden_coverage.unpaired = 3;
  for (const char* why :
       {"a reason", "no name; nearest: x", "no name; nearest: y"}) {
    c.unpaired.push_back({Side::kGolden, "b", "b.npy", "unpaired", why});
  }
  const Finding finding = Advise(c).at(0);
  EXPECT_EQ(finding.text,
            "3 of 3 tensors of the golden side were not compared, mostly "
            "because no name");
  EXPECT_TRUE(finding.next.ends_with(" --pairing by-content")) << finding.next;
}

}  // namespace
}  // namespace assay
