#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "arrays.h"
#include "judge/judge.h"
#include "kernel/decode.h"
#include "kernel/reduce.h"

namespace assay {

using Values = std::vector<double>;

// What the kernels find in two lists of values stored as the given types.
inline PairStats StatsOf(DType golden, const Values& g, DType target,
                         const Values& t, const Tolerance& tolerance = {}) {
  PairStats stats;
  const ReduceKernels& kernels = *AvailableKernels().front();
  switch (ChooseTile(golden, target)) {
    case TileType::kF32: {
      const std::vector<float> a(g.begin(), g.end()), b(t.begin(), t.end());
      kernels.f32(a.data(), b.data(), a.size(), 0, tolerance, stats);
      break;
    }
    case TileType::kF64:
      kernels.f64(g.data(), t.data(), g.size(), 0, tolerance, stats);
      break;
    case TileType::kI64: {
      const std::vector<int64_t> a(g.begin(), g.end()), b(t.begin(), t.end());
      ReduceIntegers({a.data(), golden == DType::kU64},
                     {b.data(), target == DType::kU64}, a.size(), 0, tolerance,
                     stats);
      break;
    }
  }
  return stats;
}

// One row of a verdict table.
struct Case {
  std::string what;
  DType golden_type, target_type;
  Values golden, target;
  Verdict verdict;
  std::string level;  // "" for no floor
  std::string why;    // part of it
};

inline Judgement JudgeCase(const Case& c, const JudgeOptions& options = {},
                           std::optional<double> noise = std::nullopt) {
  const PairStats stats =
      StatsOf(c.golden_type, c.golden, c.target_type, c.target);
  const ExtraStats extra;
  return Judge({.golden = c.golden_type,
                .target = c.target_type,
                .stats = stats,
                .extra = extra,
                .noise = noise},
               options);
}

inline void ExpectCase(const Case& c, const JudgeOptions& options = {},
                       std::optional<double> noise = std::nullopt) {
  const Judgement j = JudgeCase(c, options, noise);
  EXPECT_EQ(Name(j.verdict), Name(c.verdict)) << c.what << ": " << j.why;
  EXPECT_EQ(j.floor ? j.floor->level : "", c.level) << c.what;
  EXPECT_NE(j.why.find(c.why), std::string::npos)
      << c.what << ": '" << j.why << "' does not say '" << c.why << "'";
}

// Errors of +by and -by in turn, relative to each value.
inline Values Shaken(const Values& values, double by) {
  return Changed(values, [=](double x, size_t i) {
    return x * (1 + (i % 2 == 0 ? by : -by));
  });
}

// Random values with all fraction bits of float32 in use.
inline Values Floats(size_t n, int seed = 1) {
  return Rounded(Random<double>(n, seed), 24);
}

}  // namespace assay
