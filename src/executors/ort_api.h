#pragma once

#include <cstddef>
#include <cstdint>

// The part of ONNX Runtime's C interface that is used, declared here so that
// no header is needed to build. It is a table of functions that only grows: a
// function's place is the same in every version since it was added. A function
// that can fail returns a failure; null is success.
namespace assay::ort {

struct Failure;
struct Env;
struct Session;
struct SessionOptions;
struct RunOptions;
struct Value;
struct MemoryInfo;
struct TypeInfo;
struct TensorInfo;
struct Allocator;

enum class ValueKind : int { kUnknown = 0, kTensor = 1 };
inline constexpr int kLogErrors = 3;
inline constexpr int kArena = 1, kDefaultMemory = 0;  // of CreateCpuMemoryInfo

// Functions that are not used take their places as `Gap`.
template <size_t kCount>
using Gap = void* [kCount];

struct Api {
  Gap<2> gap0;
  const char* (*GetErrorMessage)(const Failure*);  // 2
  Failure* (*CreateEnv)(int log_level, const char* id, Env**);
  Gap<3> gap4;
  Failure* (*CreateSession)(const Env*, const char* path, const SessionOptions*,
                            Session**);  // 7
  Failure* (*CreateSessionFromArray)(const Env*, const void* model,
                                     size_t bytes, const SessionOptions*,
                                     Session**);
  Failure* (*Run)(Session*, const RunOptions*, const char* const* input_names,
                  const Value* const* inputs, size_t input_count,
                  const char* const* output_names, size_t output_count,
                  Value** outputs);
  Failure* (*CreateSessionOptions)(SessionOptions**);  // 10
  Gap<6> gap11;
  Failure* (*DisableMemPattern)(SessionOptions*);  // 17
  Gap<1> gap18;
  Failure* (*DisableCpuMemArena)(SessionOptions*);  // 19
  Gap<3> gap20;
  Failure* (*SetSessionGraphOptimizationLevel)(SessionOptions*, int);  // 23
  Failure* (*SetIntraOpNumThreads)(SessionOptions*, int);
  Failure* (*SetInterOpNumThreads)(SessionOptions*, int);
  Gap<4> gap26;
  Failure* (*SessionGetInputCount)(const Session*, size_t*);  // 30
  Failure* (*SessionGetOutputCount)(const Session*, size_t*);
  Gap<2> gap32;
  Failure* (*SessionGetOutputTypeInfo)(const Session*, size_t, TypeInfo**);
  Gap<1> gap35;
  Failure* (*SessionGetInputName)(const Session*, size_t, Allocator*,
                                  char**);  // 36
  Failure* (*SessionGetOutputName)(const Session*, size_t, Allocator*, char**);
  Gap<11> gap38;
  Failure* (*CreateTensorWithDataAsOrtValue)(const MemoryInfo*, void* data,
                                             size_t bytes, const int64_t* shape,
                                             size_t rank, int type,
                                             Value**);  // 49
  Gap<1> gap50;
  Failure* (*GetTensorMutableData)(Value*, void**);  // 51
  Gap<3> gap52;
  Failure* (*CastTypeInfoToTensorInfo)(const TypeInfo*,
                                       const TensorInfo**);  // 55
  Failure* (*GetOnnxTypeFromTypeInfo)(const TypeInfo*, ValueKind*);
  Gap<3> gap57;
  Failure* (*GetTensorElementType)(const TensorInfo*, int*);  // 60
  Failure* (*GetDimensionsCount)(const TensorInfo*, size_t*);
  Failure* (*GetDimensions)(const TensorInfo*, int64_t*, size_t);
  Gap<2> gap63;
  Failure* (*GetTensorTypeAndShape)(const Value*, TensorInfo**);  // 65
  Gap<1> gap66;
  Failure* (*GetValueType)(const Value*, ValueKind*);  // 67
  Gap<1> gap68;
  Failure* (*CreateCpuMemoryInfo)(int allocator, int kind,
                                  MemoryInfo**);  // 69
  Gap<6> gap70;
  Failure* (*AllocatorFree)(Allocator*, void*);  // 76
  Gap<1> gap77;
  Failure* (*GetAllocatorWithDefaultOptions)(Allocator**);  // 78
  Gap<13> gap79;
  void (*ReleaseEnv)(Env*);  // 92
  void (*ReleaseFailure)(Failure*);
  void (*ReleaseMemoryInfo)(MemoryInfo*);
  void (*ReleaseSession)(Session*);
  void (*ReleaseValue)(Value*);
  Gap<1> gap97;
  void (*ReleaseTypeInfo)(TypeInfo*);  // 98
  void (*ReleaseTensorInfo)(TensorInfo*);
  void (*ReleaseSessionOptions)(SessionOptions*);  // 100
  Gap<29> gap101;
  Failure* (*AddSessionConfigEntry)(SessionOptions*, const char* key,
                                    const char* value);  // 130
};

#define ASSAY_ORT_PLACE(function, number) \
  static_assert(offsetof(Api, function) == (number) * sizeof(void*))
ASSAY_ORT_PLACE(CreateSession, 7);
ASSAY_ORT_PLACE(CreateSessionOptions, 10);
ASSAY_ORT_PLACE(DisableCpuMemArena, 19);
ASSAY_ORT_PLACE(SetSessionGraphOptimizationLevel, 23);
ASSAY_ORT_PLACE(SessionGetOutputCount, 31);
ASSAY_ORT_PLACE(SessionGetOutputTypeInfo, 34);
ASSAY_ORT_PLACE(SessionGetOutputName, 37);
ASSAY_ORT_PLACE(CreateTensorWithDataAsOrtValue, 49);
ASSAY_ORT_PLACE(CastTypeInfoToTensorInfo, 55);
ASSAY_ORT_PLACE(GetTensorElementType, 60);
ASSAY_ORT_PLACE(GetTensorTypeAndShape, 65);
ASSAY_ORT_PLACE(CreateCpuMemoryInfo, 69);
ASSAY_ORT_PLACE(GetAllocatorWithDefaultOptions, 78);
ASSAY_ORT_PLACE(ReleaseEnv, 92);
ASSAY_ORT_PLACE(ReleaseSessionOptions, 100);
ASSAY_ORT_PLACE(AddSessionConfigEntry, 130);
#undef ASSAY_ORT_PLACE

// What the library's one exported function returns.
struct ApiBase {
  const Api* (*GetApi)(uint32_t level);
  const char* (*GetVersionString)();
};

// The first version whose table has all of the above and external data as we
// use it: 1.17.
inline constexpr uint32_t kApiLevel = 17;

}  // namespace assay::ort
