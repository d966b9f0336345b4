// Conversions worth vector instructions. They are exact, so the choice of the
// instruction set cannot show in a result.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/widen.cc"
#include "kernel/widen.h"

#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernel/targets.h"

HWY_BEFORE_NAMESPACE();
namespace assay {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D>
size_t Widen(D d, const uint16_t* HWY_RESTRICT in, size_t n, size_t i,
             float* HWY_RESTRICT out) {
  const hn::Rebind<hwy::float16_t, D> half;
  const hn::Rebind<uint16_t, D> bits;
  for (; i + hn::Lanes(d) <= n; i += hn::Lanes(d)) {
    const auto v = hn::BitCast(half, hn::LoadU(bits, in + i));
    hn::StoreU(hn::PromoteTo(d, v), d, out + i);
  }
  return i;
}

void WidenF16(const uint16_t* in, size_t n, float* out) {
  const size_t done = Widen(hn::ScalableTag<float>(), in, n, 0, out);
  Widen(hn::CappedTag<float, 1>(), in, n, done, out);
}

}  // namespace HWY_NAMESPACE
}  // namespace assay
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace assay {
void WidenF16(const uint16_t* in, size_t n, float* out) {
  static const auto best = ASSAY_BEST(WidenF16);
  best(in, n, out);
}
}  // namespace assay
#endif
