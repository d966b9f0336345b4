#pragma once

#include <hwy/detect_targets.h>

#include <cstdint>
#include <string_view>

// For files compiled once per instruction set: use(target bit, namespace) for
// each of them, the best first.
#if HWY_TARGETS & HWY_AVX3
#define ASSAY_AVX3(use) use(HWY_AVX3, N_AVX3)
#else
#define ASSAY_AVX3(use)
#endif
#if HWY_TARGETS & HWY_AVX2
#define ASSAY_AVX2(use) use(HWY_AVX2, N_AVX2)
#else
#define ASSAY_AVX2(use)
#endif
#if HWY_TARGETS & HWY_SSE4
#define ASSAY_SSE4(use) use(HWY_SSE4, N_SSE4)
#else
#define ASSAY_SSE4(use)
#endif
#if HWY_TARGETS & HWY_NEON
#define ASSAY_NEON(use) use(HWY_NEON, N_NEON)
#else
#define ASSAY_NEON(use)
#endif
#if HWY_TARGETS & HWY_EMU128
#define ASSAY_EMU128(use) use(HWY_EMU128, N_EMU128)
#else
#define ASSAY_EMU128(use)
#endif
#if HWY_TARGETS & HWY_SCALAR
#define ASSAY_SCALAR(use) use(HWY_SCALAR, N_SCALAR)
#else
#define ASSAY_SCALAR(use)
#endif
#define ASSAY_EACH_TARGET(use) \
  ASSAY_AVX3(use)              \
  ASSAY_AVX2(use)              \
  ASSAY_SSE4(use) ASSAY_NEON(use) ASSAY_EMU128(use) ASSAY_SCALAR(use)

namespace assay {

// Whether this CPU has the instruction set. Highway's own library knows too,
// but takes 3 ms at every start to measure a clock.
inline bool CpuHas([[maybe_unused]] int64_t target) {
#if HWY_ARCH_X86
  if (target == HWY_AVX3) {
    return __builtin_cpu_supports("avx512f") &&
           __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
  }
  if (target == HWY_AVX2) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
           __builtin_cpu_supports("bmi2");
  }
  if (target == HWY_SSE4) {
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("aes") &&
           __builtin_cpu_supports("pclmul");
  }
#endif
  return true;
}

// Highway's target bit as the word for --simd.
constexpr std::string_view SimdName(int64_t target) {
  switch (target) {
    case HWY_AVX3:
      return "avx512";
    case HWY_AVX2:
      return "avx2";
    case HWY_SSE4:
      return "sse4";
    case HWY_NEON:
      return "neon";
    default:
      return "scalar";
  }
}

}  // namespace assay
