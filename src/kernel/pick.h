#pragma once

#include <cstddef>
#include <cstdint>

namespace assay {

// How many values lie where; those between the limits are kept, in order.
struct Picked {
  uint64_t below = 0, at_low = 0, at_high = 0;
  size_t between = 0;
};

// Room behind the values kept, which may be written to.
inline constexpr size_t kPickRoom = 64;

// `kept` has room for n values and kPickRoom more. No branches: what lies where
// is as good as random.
template <typename T>
Picked PickBetween(const T* values, size_t n, T low, T high, T* kept) {
  Picked out;
  for (size_t i = 0; i < n; ++i) {
    out.below += values[i] < low;
    out.at_low += values[i] == low;
    out.at_high += values[i] == high;
    kept[out.between] = values[i];
    out.between += (values[i] > low) & (values[i] < high);
  }
  return out;
}

// The same with the widest registers of this CPU.
template <>
Picked PickBetween(const float* values, size_t n, float low, float high,
                   float* kept);

}  // namespace assay
