#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernel/examine.h"

namespace assay {

using Reals = std::vector<double>;
using Floats = std::vector<float>;
using Ints = std::vector<int64_t>;
inline constexpr int64_t kBig = int64_t{1} << 62;
inline constexpr double kInf = HUGE_VAL;

template <typename T>
inline constexpr TileType kTileOf =
    std::is_same_v<T, float>    ? TileType::kF32
    : std::is_same_v<T, double> ? TileType::kF64
                                : TileType::kI64;

struct Types {
  DType golden, target;
};

template <typename T>
Detail Look(const std::vector<T>& g, const std::vector<T>& t, Types types,
            const ExamineWants& wants, size_t block = 4) {
  Examiner examiner(types.golden, types.target, wants);
  for (size_t at = 0; at < g.size(); at += block) {
    examiner.Add({.type = kTileOf<T>,
                  .golden = g.data() + at,
                  .target = t.data() + at,
                  .n = std::min(block, g.size() - at),
                  .base = at});
  }
  return std::move(examiner).Finish();
}

inline constexpr Types kSingle = {DType::kF32, DType::kF32};
inline constexpr Types kDouble = {DType::kF64, DType::kF64};
inline constexpr Types kWhole = {DType::kI64, DType::kI64};

}  // namespace assay
