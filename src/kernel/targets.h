#pragma once

#include <hwy/detect_targets.h>

#include <cstdint>
#include <string_view>

// For files compiled once per instruction set: use(target bit, namespace,
// what) for each of them, the best first.
#if HWY_TARGETS & HWY_AVX3
#define ASSAY_AVX3(use, what) use(HWY_AVX3, N_AVX3, what)
#else
#define ASSAY_AVX3(use, what)
#endif
#if HWY_TARGETS & HWY_AVX2
#define ASSAY_AVX2(use, what) use(HWY_AVX2, N_AVX2, what)
#else
#define ASSAY_AVX2(use, what)
#endif
#if HWY_TARGETS & HWY_SSE4
#define ASSAY_SSE4(use, what) use(HWY_SSE4, N_SSE4, what)
#else
#define ASSAY_SSE4(use, what)
#endif
#if HWY_TARGETS & HWY_NEON
#define ASSAY_NEON(use, what) use(HWY_NEON, N_NEON, what)
#else
#define ASSAY_NEON(use, what)
#endif
#if HWY_TARGETS & HWY_EMU128
#define ASSAY_EMU128(use, what) use(HWY_EMU128, N_EMU128, what)
#else
#define ASSAY_EMU128(use, what)
#endif
#if HWY_TARGETS & HWY_SCALAR
#define ASSAY_SCALAR(use, what) use(HWY_SCALAR, N_SCALAR, what)
#else
#define ASSAY_SCALAR(use, what)
#endif
#define ASSAY_EACH_TARGET(use, what) \
  ASSAY_AVX3(use, what)              \
  ASSAY_AVX2(use, what)              \
  ASSAY_SSE4(use, what)              \
  ASSAY_NEON(use, what) ASSAY_EMU128(use, what) ASSAY_SCALAR(use, what)

// The function's copy for this CPU.
#define ASSAY_IF_HERE(target, ns, function) \
  if (CpuHas(target)) return &ns::function;
#define ASSAY_BEST(function)                   \
  [] {                                         \
    ASSAY_EACH_TARGET(ASSAY_IF_HERE, function) \
    return &HWY_STATIC_DISPATCH(function);     \
  }()

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
