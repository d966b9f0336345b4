// Most tensors of a dump are float32, and each is gone through for its median.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/pick.cc"
#include "kernel/pick.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernel/targets.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
size_t Pick(D d, const float* HWY_RESTRICT values, size_t n, size_t i,
            float low, float high, float* HWY_RESTRICT kept, Picked& out) {
  const auto lows = hn::Set(d, low), highs = hn::Set(d, high);
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto v = hn::LoadU(d, values + i);
    out.below += hn::CountTrue(d, hn::Lt(v, lows));
    out.at_low += hn::CountTrue(d, hn::Eq(v, lows));
    out.at_high += hn::CountTrue(d, hn::Eq(v, highs));
    const auto inside = hn::And(hn::Gt(v, lows), hn::Lt(v, highs));
    out.between += hn::CompressStore(v, inside, d, kept + out.between);
  }
  return i;
}

Picked PickF32(const float* values, size_t n, float low, float high,
               float* kept) {
  static_assert(hn::MaxLanes(hn::ScalableTag<float>()) <= kPickRoom);
  Picked out;
  const size_t done =
      Pick(hn::ScalableTag<float>(), values, n, 0, low, high, kept, out);
  Pick(hn::CappedTag<float, 1>(), values, n, done, low, high, kept, out);
  return out;
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
template <>
Picked PickBetween(const float* values, size_t n, float low, float high,
                   float* kept) {
  static const auto best = ASSAY_BEST(PickF32);
  return best(values, n, low, high, kept);
}
}  // namespace assay
#endif
