// The type level: what rounding to the coarsest type in sight explains.
#include <gtest/gtest.h>

#include "judge/evidence.h"

namespace assay {
namespace {

using enum DType;
using enum Verdict;

TEST(TypeLevel, SixteenRoundoffsPass) {
  const struct {
    DType type;
    double roundoff;
  } kTypes[] = {
      {kF64, 0x1p-53}, {kF32, 0x1p-24}, {kF16, 0x1p-11}, {kBF16, 0x1p-8}};
  for (const auto& [type, u] : kTypes) {
    const Values x = Random<double>(1000);
    const std::string name(Name(type));
    // The tile itself may round once more.
    ExpectCase({name + " below", kF64, type, x, Shaken(x, 14 * u), kPass,
                "type", "rounding to " + name + " explains it"});
    ExpectCase({name + " above", kF64, type, x, Shaken(x, 18 * u), kUnsure,
                "type", "what rounding to " + name + " explains"});
    ExpectCase({name + " of golden", type, kF64, x, Shaken(x, 14 * u), kPass,
                "type", "rounding to " + name});
  }
}

TEST(TypeLevel, OneElementTooFarIsSeen) {
  const double u = 0x1p-24;
  Values x = Floats(10000);
  x[5] = 8;  // the largest
  const auto moved = [&](double roundoffs) {
    return With(x, 5, 8 * (1 + roundoffs * u));
  };
  ExpectCase({"15 u", kF32, kF32, x, moved(15), kPass, "type", ""});
  const Case far = {"18 u",    kF32,    kF32,   x,
                    moved(18), kUnsure, "type", "max_abs"};
  ExpectCase(far);
  EXPECT_EQ(JudgeCase(far).floor->metric, "max_abs");
  EXPECT_NEAR(*JudgeCase(far).floor->margin, 18.0 / 16, 0.01);
}

TEST(TypeLevel, WidenedValuesBetrayTheirType) {
  const Values x = Floats(1000), half = Rounded(x, 11), brain = Rounded(x, 8);
  const double off16 = 10 * 0x1p-11, off8 = 10 * 0x1p-8;
  const Case kRows[] = {
      {"f16 in target", kF32, kF32, x, Rounded(Shaken(x, off16), 11), kPass,
       "type", "rounding to f16 (seen in the bits)"},
      {"f16 in golden", kF32, kF32, half, Shaken(half, off16), kPass, "type",
       "rounding to f16 (seen in the bits)"},
      {"bf16 in target", kF32, kF32, x, Rounded(Shaken(x, off8), 8), kPass,
       "type", "rounding to bf16 (seen in the bits)"},
      {"bf16 in f64", kF64, kF64, brain, Shaken(brain, off8), kPass, "type",
       "rounding to bf16 (seen in the bits)"},
      {"f32 in f64", kF64, kF64, x, Shaken(x, 10 * 0x1p-24), kPass, "type",
       "rounding to f32 (seen in the bits)"},
      {"declared, not seen", kF32, kF16, x, half, kPass, "type",
       "rounding to f16 explains it"},
      {"all bits in use", kF32, kF32, x, Shaken(x, off16), kUnsure, "type",
       "rounding to f32"},
      {"bf16 error in f16 data", kF32, kF32, half,
       Rounded(Shaken(half, off8), 11), kUnsure, "type", "rounding to f16"},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

TEST(TypeLevel, SmallValuesMayBecomeZero) {
  const Values x = Scaled(Floats(100), 1e-9), zero(100, 0.0);
  const Case kRows[] = {
      {"below f16", kF32, kF16, x, zero, kPass, "type", "f16"},
      {"golden lost them", kF16, kF32, zero, x, kPass, "type",
       "below the smallest f16 number"},
      {"bf16 is coarser, f16 loses them", kBF16, kF16, Rounded(x, 8), zero,
       kPass, "type", ""},
      {"f32 can hold them", kF32, kF32, x, zero, kFail, "type",
       "target is constant, golden is not"},
      {"not all are small", kF32, kF16, With(x, 3, 1e-3), zero, kFail, "type",
       "target is constant"},
      {"some become zero", kF32, kF16,
       Changed(Floats(100),
               [](double v, size_t i) { return i % 2 ? v : 1e-9; }),
       Changed(Floats(100), [](double v, size_t i) { return i % 2 ? v : 0; }),
       kPass, "type", "rounding to f16"},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

TEST(TypeLevel, AConstantSideFailsFromSixteenOn) {
  const Values x = Floats(16), few = Floats(15);
  const Values ones(16, 1.0), zeros(16, 0.0);
  const Case kRows[] = {
      {"target constant", kF32, kF32, x, ones, kFail, "type",
       "target is constant, golden is not"},
      {"golden constant", kF32, kF32, ones, x, kFail, "type",
       "golden is constant, target is not"},
      {"target zero", kF32, kF16, x, zeros, kFail, "type",
       "target is constant"},
      {"zero for a constant", kF32, kF32, ones, zeros, kFail, "type",
       "target is all zero, golden is not"},
      {"constant for zero", kF32, kF32, zeros, ones, kFail, "type",
       "golden is all zero, target is not"},
      {"15 values", kF32, kF32, few, Values(15, 1.0), kUnsure, "type", ""},
      {"15 zeros", kF32, kF32, Values(15, 1.0), Values(15, 0.0), kUnsure,
       "type", ""},
      {"two constants", kF32, kF32, ones, Values(16, 2.0), kUnsure, "type", ""},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

TEST(TypeLevel, EightBitFloatsDoNotExplainEverything) {
  const Values x = Rounded(Floats(100), 4), zeros(100, 0.0);
  for (const DType type : {kF8E4M3, kF8E5M2, kHiF8, kF8E8M0}) {
    const std::string name(Name(type));
    ExpectCase({name + " zeros", type, kF32, x, zeros, kFail, "type",
                "target is constant"});
    ExpectCase(
        {name + " negated", kF32, type, x, Scaled(x, -1), kUnsure, "type", ""});
  }
  ExpectCase({"rounding", kF32, kF8E4M3, Floats(100), Rounded(Floats(100), 4),
              kPass, "type", "rounding to f8e4m3"});
}

TEST(TypeLevel, PureScaleFailsFromSixtyFourOn) {
  const Values x = Floats(64);
  const Case kRows[] = {
      {"f32", kF32, kF32, x, Scaled(x, 1.01), kFail, "type",
       "pure scale: target is 1.01 times golden"},
      {"f16", kF32, kF16, x, Rounded(Scaled(x, 1.01), 11), kFail, "type",
       "pure scale"},
      {"half", kF32, kF32, x, Scaled(x, 0.5), kFail, "type",
       "target is 0.5 times golden"},
      {"two constants", kF32, kF32, Values(64, 1.0), Values(64, 2.0), kFail,
       "type", "pure scale"},
      {"63 values", kF32, kF32, Floats(63), Scaled(Floats(63), 1.01), kUnsure,
       "type", ""},
      {"1 % is rounding to bf16", kF32, kBF16, x, Scaled(x, 1.01), kPass,
       "type", "bf16"},
      {"negated", kF32, kF32, x, Scaled(x, -1), kUnsure, "type", ""},
      {"a bias of many roundings", kF32, kF32, x,
       Shaken(Scaled(x, 1 + 1.3e-6), 1e-6), kUnsure, "type", ""},
      {"not pure", kF32, kF32, x, Shaken(Scaled(x, 1.01), 0.01), kUnsure,
       "type", ""},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

TEST(TypeLevel, GrossDisagreementIsUnsure) {
  ExpectCase({"other values", kF32, kF32, Floats(1000, 1), Floats(1000, 2),
              kUnsure, "type", "rounding to f32 explains"});
}

}  // namespace
}  // namespace assay
