#include "judge/causes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "judge/constants.h"

namespace assay {
namespace {

constexpr double kU = 0x1p-11;

// A row and what is known of its tensor.
struct Made {
  Row row;
  TensorFacts facts;
  Ingredients from;
};

Made Tensor(const std::string& op, const std::string& port, double error,
            std::vector<uint32_t> from = {}) {
  Made made;
  made.row.name = op + ":" + port;
  made.row.op = op;
  made.row.port = port;
  made.row.type = "MatMul";
  made.row.golden = made.row.target = {{.dtype = "f16"}};
  made.row.verdict = error > 16 * kU ? Verdict::kUnsure : Verdict::kPass;
  made.row.why = "far off";
  made.facts = {.measured = true,
                .equal = error == 0,
                .rel_l2 = error,
                .max_part = error,
                .rms = 1,
                .roundoff = kU};
  made.from.rows = std::move(from);
  made.from.is_input = port == "input";
  return made;
}

std::vector<std::string> Judged(std::vector<Made>& tensors) {
  std::vector<Row*> rows;
  std::vector<TensorFacts> facts;
  std::vector<Ingredients> from;
  for (size_t i = 0; i < tensors.size(); ++i) {
    tensors[i].row.number = i;
    rows.push_back(&tensors[i].row);
    facts.push_back(tensors[i].facts);
    from.push_back(tensors[i].from);
  }
  return FindCauses(rows, facts, from);
}

using Origins = std::vector<std::string>;

TEST(Causes, GrowthDecides) {
  const struct {
    double in, out;
    std::string type;
    std::string cause, verdict, why;
  } kRows[] = {
      {0, 0.02, "MatMul", "origin", "unsure", "the error grows 20.5-fold"},
      {0, 0.2, "MatMul", "origin", "fail", "its inputs are equal"},
      {3e-4, 0.2, "MatMul", "origin", "fail", "its inputs agree to 0.0003"},
      {0, 0.2, "Softmax", "origin", "unsure", "the error grows 205-fold"},
      {0, 0.2, "", "origin", "unsure", "the error grows 205-fold"},
      {0.02, 0.03, "MatMul", "inherited", "unsure", "off by 0.02 already"},
  };
  for (const auto& c : kRows) {
    std::vector<Made> t = {Tensor("m", "input", c.in),
                           Tensor("m", "output", c.out, {0})};
    t[1].row.type = c.type;
    const Origins origins = Judged(t);
    const Row& row = t[1].row;
    EXPECT_EQ(Name(row.cause), c.cause) << c.type << c.out;
    EXPECT_EQ(Name(row.verdict), c.verdict) << c.type << c.out;
    EXPECT_NE(row.why.find(c.why), std::string::npos) << row.why;
    EXPECT_EQ(origins, c.cause == "origin" ? Origins{"m"} : Origins{});
    EXPECT_EQ(row.floor->level, "amplification");
    EXPECT_NEAR(*row.floor->margin, c.out / (c.in + 2 * kU), 1e-9);
  }
}

// A Sigmoid that saturates because of what it is given: the growth before it is
// the better proof. Given good inputs it is the first.
// A graph says that nothing but weights and the network's input x goes in.
TEST(Causes, TheFirstOperatorMakesItsError) {
  const struct {
    bool traced, complete;
    std::vector<std::string> through;
    std::string cause, verdict, why;
  } kRows[] = {
      {true,
       true,
       {},
       "origin",
       "fail",
       "no operator comes before it; the error"},
      {true, true, {"x"}, "origin", "unsure", "here or in x, not compared"},
      {true, false, {}, "unknown", "unsure", "far off"},
      {false, true, {}, "unknown", "unsure", "far off"},
  };
  for (const auto& c : kRows) {
    std::vector<Made> t = {Tensor("m", "output", 0.2)};
    t[0].from.traced = c.traced;
    t[0].from.complete = c.complete;
    t[0].from.through = c.through;
    const Origins origins = Judged(t);
    EXPECT_EQ(Name(t[0].row.cause), c.cause) << c.why;
    EXPECT_EQ(Name(t[0].row.verdict), c.verdict) << c.why;
    EXPECT_NE(t[0].row.why.find(c.why), std::string::npos) << t[0].row.why;
    EXPECT_EQ(origins, c.cause == "origin" ? Origins{"m"} : Origins{});
  }
}

TEST(Causes, AmplifiersFailForWhatTheyAreGiven) {
  for (const double given : {0.1, 0.001}) {
    std::vector<Made> t = {
        Tensor("a", "input", 0.001), Tensor("a", "output", 0.1, {0}),
        Tensor("s", "input", given), Tensor("s", "output", 0.99, {2})};
    t[3].row.type = "Sigmoid";
    t[3].row.verdict = Verdict::kFail;
    const Origins origins = Judged(t);
    EXPECT_EQ(origins.front(), given > 16 * kU ? "a" : "s") << given;
    EXPECT_EQ(origins.size(), 2u);
  }
}

TEST(Causes, CancellationIsNoProof) {
  std::vector<Made> t = {Tensor("m", "input", 0),
                         Tensor("m", "output", 0.2, {0})};
  t[1].facts.rms = 1 / (2 * kCancellation);
  Judged(t);
  EXPECT_EQ(t[1].row.verdict, Verdict::kUnsure);
  EXPECT_EQ(t[1].row.cause, Cause::kOrigin);
}

TEST(Causes, NonFiniteValuesAreMadeOrInherited) {
  std::vector<Made> t = {
      Tensor("a", "input", 0), Tensor("a", "output", 0.001, {0}),
      Tensor("b", "input", 0.001, {1}), Tensor("b", "output", 0.001, {2})};
  for (size_t i = 1; i < t.size(); ++i) {
    t[i].facts.one_sided = true;
    t[i].row.verdict = Verdict::kFail;
  }
  EXPECT_EQ(Judged(t), Origins{"a"});
  EXPECT_EQ(t[2].row.cause, Cause::kInherited);
  EXPECT_EQ(t[3].row.cause, Cause::kInherited);
  EXPECT_NE(t[3].row.why.find("come from b:input"), std::string::npos);
}

TEST(Causes, WhatWasNotComparedProvesNothing) {
  std::vector<Made> t = {Tensor("m", "input", 0),
                         Tensor("m", "output", 0.2, {0})};
  t[1].from.complete = false;
  EXPECT_EQ(Judged(t), Origins{});
  EXPECT_EQ(t[1].row.cause, Cause::kUnknown);
  EXPECT_EQ(t[1].row.verdict, Verdict::kUnsure);

  t = {Tensor("m", "input", 0), Tensor("m", "output", 0.2, {0})};
  t[0].row.verdict = Verdict::kError;
  t[0].facts = {};
  EXPECT_EQ(Judged(t), Origins{});
  EXPECT_EQ(t[1].row.cause, Cause::kUnknown);

  t = {Tensor("m", "output", 0.2)};  // nothing known of its inputs
  EXPECT_EQ(Judged(t), Origins{});
  EXPECT_EQ(t[0].row.cause, Cause::kUnknown);
  EXPECT_EQ(t[0].row.why, "far off");
}

TEST(Causes, InputsInheritFromTheirProducers) {
  std::vector<Made> t = {Tensor("a", "output", 0.2),
                         Tensor("b", "input", 0.2, {0}),
                         Tensor("c", "input", 0.2)};
  Judged(t);
  EXPECT_EQ(t[1].row.cause, Cause::kInherited);
  EXPECT_EQ(t[2].row.cause, Cause::kUnknown);
}

// Both factors are too large by 2 %, and so the product is by 4 %.
TEST(Causes, AProductHasTheErrorsOfAllItsFactors) {
  const struct {
    std::string type;
    double out;
    std::string cause;
  } kRows[] = {{"BatchMatMul", 0.04, "inherited"},
               {"BatchMatMul", 0.06, "origin"},
               {"AddN", 0.04, "origin"}};
  for (const auto& c : kRows) {
    std::vector<Made> t;
    const auto add = [&](const std::string& op, double in, double out) {
      const auto first = static_cast<uint32_t>(t.size());
      t.push_back(Tensor(op, "input", in));
      t.push_back(Tensor(op, "input", in));
      t.push_back(Tensor(op, "output", out, {first, first + 1}));
      for (size_t i = first; i < t.size(); ++i) {
        t[i].row.type = c.type;
        t[i].facts.scale = t[i].facts.rel_l2;
      }
    };
    for (size_t i = 0; i < kEnoughPeers; ++i) {
      const double clean = c.type == "AddN" ? 0.001 : 0.002;
      add("clean" + std::to_string(i), 0.001, clean);
    }
    add("scaled", 0.02, c.out);
    Judged(t);
    EXPECT_EQ(Name(t.back().row.cause), c.cause) << c.type << c.out;
  }
}

TEST(Causes, ChoicesAreExact) {
  for (const bool equal : {true, false}) {
    std::vector<Made> t = {Tensor("top", "input", equal ? 0 : 1e-5),
                           Tensor("top", "output", 0.3, {0})};
    t[1].row.type = "ArgMax";
    t[1].facts.whole = true;
    Judged(t);
    EXPECT_EQ(Name(t[1].row.cause), equal ? "origin" : "inherited");
    EXPECT_EQ(Name(t[1].row.verdict), equal ? "fail" : "unsure");
  }
}

// A factor of 1 % is small next to float16 rounding, but all elements have it.
TEST(Causes, ACommonFactorIsSeenThroughNoise) {
  std::vector<Made> t = {Tensor("m", "input", 0.001),
                         Tensor("m", "output", 0.0101, {0})};
  t[0].facts.scale = 1e-4;
  t[1].facts.scale = 0.01;
  EXPECT_EQ(Judged(t), Origins{"m"});
  EXPECT_EQ(t[1].row.floor->metric, "norm_ratio");
}

// Ten operators let the error pass, one makes it three times as large.
TEST(Causes, TheOddOneOut) {
  std::vector<Made> t;
  for (uint32_t i = 0; i < 11; ++i) {
    const std::string op = "m" + std::to_string(i);
    t.push_back(Tensor(op, "input", 0.01));
    t.push_back(Tensor(op, "output", i == 6 ? 0.03 : 0.0101, {2 * i}));
  }
  EXPECT_EQ(Judged(t), Origins{"m6"});
  EXPECT_NE(t[13].row.why.find("far more than in other operators"),
            std::string::npos);
  EXPECT_EQ(t[13].row.verdict, Verdict::kUnsure);
}

// What stands out after an operator with equal inputs is its consequence.
TEST(Causes, EqualInputsComeBeforeWhatStandsOut) {
  std::vector<Made> t = {Tensor("first", "input", 0),
                         Tensor("first", "output", 0.01, {0})};
  t[1].row.type = "Custom";
  for (uint32_t i = 0; i < 11; ++i) {
    const std::string op = "m" + std::to_string(i);
    t.push_back(Tensor(op, "input", 0.01));
    t.push_back(Tensor(op, "output", i == 6 ? 0.03 : 0.0101, {2 * i + 2}));
  }
  for (size_t i = 0; i < t.size(); ++i) {
    t[i].row.order = static_cast<int64_t>(i);
  }
  EXPECT_EQ(Judged(t), (Origins{"first", "m6"}));
}

// A small oddity early in a network is no reason for a large jump from good
// inputs later on.
TEST(Causes, ALargeJumpComesBeforeASmallOddity) {
  std::vector<Made> t;
  for (uint32_t i = 0; i < 11; ++i) {
    const std::string op = "m" + std::to_string(i);
    const double error = i == 2 ? 0.03 : i == 9 ? 0.9 : 0.0101;
    t.push_back(Tensor(op, "input", 0.01));
    t.push_back(Tensor(op, "output", error, {2 * i}));
    t.back().row.type = "BatchNormalization";
  }
  for (size_t i = 0; i < t.size(); ++i) {
    t[i].row.order = static_cast<int64_t>(i);
  }
  t[18].facts.rel_l2 = t[18].facts.max_part = 1e-3;
  EXPECT_EQ(Judged(t), (Origins{"m9", "m2"}));
  EXPECT_EQ(t[19].row.verdict, Verdict::kUnsure);
}

// Where an input is nothing like golden, no growth tells anything.
TEST(Causes, NothingIsToldBehindALostTensor) {
  for (const double before : {0.5, 1.5}) {
    std::vector<Made> t = {Tensor("a", "input", before),
                           Tensor("a", "output", 1000 * before, {0})};
    EXPECT_EQ(Judged(t), before < 1 ? Origins{"a"} : Origins{});
  }
}

TEST(Causes, FailuresRankFirstThenGrowth) {
  std::vector<Made> t;
  const struct {
    std::string op, type;
    double error;
  } kRows[] = {{"softmax", "Softmax", 0.9},
               {"weak", "MatMul", 0.02},
               {"strong", "MatMul", 0.03},
               {"sure", "Conv2D", 0.5}};
  for (const auto& c : kRows) {
    t.push_back(Tensor(c.op, "input", 1e-4));
    t.push_back(
        Tensor(c.op, "output", c.error, {static_cast<uint32_t>(t.size()) - 1}));
    t.back().row.type = c.type;
  }
  EXPECT_EQ(Judged(t), (Origins{"sure", "strong", "weak", "softmax"}));
}

}  // namespace
}  // namespace assay
