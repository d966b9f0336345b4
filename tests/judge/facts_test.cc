// Verdicts that need no floor: NaN and Inf, trivial rows, booleans.
#include <gtest/gtest.h>

#include "judge/evidence.h"

namespace assay {
namespace {

using enum DType;
using enum Verdict;
constexpr double kNan = NAN, kInf = INFINITY;

TEST(Facts, NanAndInfOnOneSideFail) {
  const Values x = Floats(100);
  const Case kRows[] = {
      {"NaN in target", kF32, kF32, x, With(x, 7, kNan), kFail, "exact",
       "golden has 0 NaN and 0 Inf, target 1 NaN and 0 Inf"},
      {"NaN in golden", kF32, kF32, With(x, 7, kNan), x, kFail, "exact",
       "golden has 1 NaN"},
      {"Inf in target", kF64, kF32, x, With(x, 7, kInf), kFail, "exact",
       "1 Inf"},
      {"other sign", kF32, kF32, With(x, 7, kInf), With(x, 7, -kInf), kFail,
       "exact", "NaN/Inf differ"},
      {"NaN for Inf", kF32, kF32, With(x, 7, kInf), With(x, 7, kNan), kFail,
       "exact", "NaN/Inf differ"},
      {"other places", kF32, kF32, With(x, 7, kNan), With(x, 8, kNan), kFail,
       "exact", "NaN/Inf differ"},
      {"one element", kF32, kF32, {kNan}, {0}, kFail, "exact", "1 NaN"},
      {"NaN against zeros", kF32, kF32, Values(9, kNan), Values(9, 0.0), kFail,
       "exact", "9 NaN"},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

TEST(Facts, NanAndInfInTheSamePlacesDoNot) {
  const Values x = Floats(100);
  const Case kRows[] = {
      {"NaN", kF32, kF32, With(x, 7, kNan), With(x, 7, kNan), kPass, "type",
       "equal; 1 NaN at the same places on both sides"},
      {"zeros and NaN", kF32, kF32, With(Values(9, 0.0), 7, kNan),
       With(Values(9, 0.0), 7, kNan), kTrivial, "",
       "all zero on both sides; 1 NaN at the same places on both sides"},
      {"Inf", kF32, kF32, With(x, 7, kInf), With(x, 7, kInf), kPass, "type",
       ""},
      {"and an error elsewhere", kF32, kF32, With(x, 7, kNan),
       With(Shaken(x, 0.5), 7, kNan), kUnsure, "type",
       "what rounding to f32 explains; 1 NaN at the same places"},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

TEST(Facts, EqualButNoProofIsTrivial) {
  const Case kRows[] = {
      {"empty", kF32, kF32, {}, {}, kTrivial, "", "both sides are empty"},
      {"zeros", kF32, kF32, Values(9, 0.0), Values(9, 0.0), kTrivial, "",
       "all zero on both sides"},
      {"one zero", kF32, kF32, {0}, {0}, kTrivial, "", "all zero"},
      {"zeros of both signs",
       kF32,
       kF32,
       {0, -0.0},
       {-0.0, 0},
       kTrivial,
       "",
       "all zero"},
      {"integer zeros", kI64, kI64, {0, 0}, {0, 0}, kTrivial, "", "all zero"},
      {"constant",
       kF32,
       kF16,
       {3, 3},
       {3, 3},
       kTrivial,
       "",
       "the same constant everywhere"},
      {"true everywhere",
       kBool,
       kBool,
       {1, 1},
       {1, 1},
       kTrivial,
       "",
       "the same constant"},
      {"NaN", kF32, kF32, Values(9, kNan), Values(9, kNan), kTrivial, "",
       "NaN everywhere on both sides"},
      {"Inf", kF32, kF32, Values(9, kInf), Values(9, kInf), kTrivial, "",
       "no finite number on either side"},
      {"one number", kF32, kF32, {3}, {3}, kPass, "type", "equal"},
      {"two numbers", kF32, kF32, {3, 4}, {3, 4}, kPass, "type", "equal"},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

TEST(Facts, BooleansAreEqualOrFail) {
  const Case kRows[] = {
      {"equal", kBool, kBool, {0, 1, 1}, {0, 1, 1}, kPass, "exact", "equal"},
      {"differ",
       kBool,
       kBool,
       {0, 1, 1},
       {0, 1, 0},
       kFail,
       "exact",
       "1 of 3 booleans differ"},
      {"a constant side",
       kBool,
       kBool,
       {1, 1, 1},
       {0, 0, 0},
       kFail,
       "exact",
       "3 of 3"},
      {"bool as integers",
       kBool,
       kU8,
       {0, 1, 1},
       {0, 1, 1},
       kPass,
       "type",
       "equal"},
      {"bool as floats",
       kBool,
       kF32,
       {0, 1, 1},
       {0, 0.6, 1},
       kUnsure,
       "type",
       ""},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

// Facts come before what the user tolerates.
TEST(Facts, OutweighThresholds) {
  const JudgeOptions loose = {.fail_on = {*FailOn::Parse("rel_l2>1e30")},
                              .tolerances = true};
  const Values x = Floats(20);
  ExpectCase({"NaN", kF32, kF32, x, With(x, 3, kNan), kFail, "exact", ""},
             loose, 1e30);
  ExpectCase({"bool", kBool, kBool, {0, 1}, {1, 1}, kFail, "exact", ""}, loose,
             1e30);
}

}  // namespace
}  // namespace assay
