// Integers at the type level: on both sides, and against floats.
#include <gtest/gtest.h>

#include "judge/evidence.h"

namespace assay {
namespace {

using enum DType;
using enum Verdict;

TEST(Integers, ThatDifferAreUnsure) {
  const Case kRows[] = {
      {"equal", kI32, kI32, {1, 2}, {1, 2}, kPass, "type", "equal"},
      {"by one",
       kI32,
       kI32,
       {1, 2, 3},
       {1, 2, 4},
       kUnsure,
       "type",
       "1 of 3 integers differ, by up to 1"},
      {"widths differ",
       kI8,
       kI64,
       {1, 2, 3},
       {1, 2, 3},
       kPass,
       "type",
       "equal"},
      {"large",
       kI64,
       kI64,
       {0x1p62},
       {-0x1p62},
       kUnsure,
       "type",
       "by up to 9.2233720368547758e+18"},
      {"unsigned",
       kU8,
       kU8,
       {0, 255},
       {255, 255},
       kUnsure,
       "type",
       "1 of 2 integers differ, by up to 255"},
      {"a side of zeros", kI8, kI8, Values(20, 1.0), Values(20, 0.0), kUnsure,
       "type", "20 of 20"},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

TEST(Integers, AnIntegerGridRoundsByHalfAStep) {
  Values steps(40);
  for (size_t i = 0; i < 40; ++i) steps[i] = static_cast<double>(i) - 20;
  const auto off = [&](double by) {
    return Changed(steps,
                   [=](double x, size_t i) { return x + (i % 2 ? by : -by); });
  };
  const Case kRows[] = {
      {"within", kI32, kF32, steps, off(0.5), kPass, "type",
       "rounding to whole numbers explains it"},
      {"float golden", kF32, kI8, off(0.4), steps, kPass, "type",
       "rounding to whole numbers"},
      {"beyond", kI32, kF32, steps, off(0.75), kUnsure, "type", ""},
      {"small values become zero", kF32, kI8, Values(20, 0.25), Values(20, 0.0),
       kPass, "type", "rounding to whole numbers"},
      {"equal", kI32, kF32, steps, steps, kPass, "type", "equal"},
  };
  for (const Case& row : kRows) ExpectCase(row);
}

}  // namespace
}  // namespace assay
