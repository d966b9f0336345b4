#include "executors/ort_session.h"

#include <algorithm>

#include "base/text.h"

namespace assay::ort {
namespace {

// What the runtime says; null is success.
class Checker {
 public:
  explicit Checker(const Api& api) : api_(api) {}

  Status operator()(Failure* failure) const {
    if (failure == nullptr) return Done{};
    const Owned<Failure> held(failure, api_.ReleaseFailure);
    return Unsupported("{}", Trim(api_.GetErrorMessage(failure)));
  }

 private:
  const Api& api_;
};

// The runtime numbers the types up to float4 as ONNX does, and then uint2,
// int2, float8e8m0; ONNX has float8e8m0 first.
constexpr int kFirstMoved = 24, kMoved = 3;

int Moved(int type, int by) {
  if (type < kFirstMoved || type >= kFirstMoved + kMoved) return type;
  return kFirstMoved + (type - kFirstMoved + by) % kMoved;
}
int FromRuntime(int type) { return Moved(type, 1); }
int ToRuntime(int type) { return Moved(type, kMoved - 1); }

Status ReadType(const Api& api, const TensorInfo& info, int& type,
                Shape& shape) {
  const Checker check(api);
  size_t rank = 0;
  RETURN_IF_ERROR(check(api.GetTensorElementType(&info, &type)));
  type = FromRuntime(type);
  RETURN_IF_ERROR(check(api.GetDimensionsCount(&info, &rank)));
  shape.resize(rank);
  return check(api.GetDimensions(&info, shape.data(), rank));
}

Status Apply(const Api& api, const Settings& settings,
             SessionOptions* options) {
  const Checker check(api);
  RETURN_IF_ERROR(
      check(api.SetSessionGraphOptimizationLevel(options, settings.level)));
  RETURN_IF_ERROR(check(api.SetIntraOpNumThreads(options, settings.threads)));
  RETURN_IF_ERROR(check(api.SetInterOpNumThreads(options, 1)));
  // Every model runs once: what an arena keeps for the next run is lost.
  RETURN_IF_ERROR(check(api.DisableCpuMemArena(options)));
  RETURN_IF_ERROR(check(api.DisableMemPattern(options)));
  return check(api.AddSessionConfigEntry(options,
                                         "session.set_denormal_as_zero",
                                         settings.flush_denormals ? "1" : "0"));
}

}  // namespace

template <typename Make>
Result<LoadedModel> LoadedModel::Create(const Library& library,
                                        const Settings& settings,
                                        const Make& make) {
  const Api& api = *library.api;
  const Checker check(api);
  Env* env = nullptr;
  RETURN_IF_ERROR(check(api.CreateEnv(kLogErrors, "assay", &env)));
  Owned<Env> owned_env(env, api.ReleaseEnv);
  SessionOptions* options = nullptr;
  RETURN_IF_ERROR(check(api.CreateSessionOptions(&options)));
  const Owned<SessionOptions> owned_options(options, api.ReleaseSessionOptions);
  RETURN_IF_ERROR(Apply(api, settings, options));
  Session* session = nullptr;
  RETURN_IF_ERROR(check(make(env, options, &session)));
  return LoadedModel(api, std::move(owned_env),
                     Owned<Session>(session, api.ReleaseSession));
}

Result<LoadedModel> LoadedModel::FromFile(const Library& library,
                                          const std::string& path,
                                          const Settings& settings) {
  return Create(library, settings,
                [&](const Env* env, SessionOptions* options, Session** out) {
                  return library.api->CreateSession(env, path.c_str(), options,
                                                    out);
                });
}

Result<LoadedModel> LoadedModel::FromBytes(const Library& library,
                                           std::string_view bytes,
                                           const Settings& settings) {
  return Create(library, settings,
                [&](const Env* env, SessionOptions* options, Session** out) {
                  return library.api->CreateSessionFromArray(
                      env, bytes.data(), bytes.size(), options, out);
                });
}

namespace {

// The name of input or output `i` of a session.
template <typename Get>
Result<std::string> NameAt(const Api& api, const Session* session, size_t i,
                           Get get) {
  const Checker check(api);
  Allocator* allocator = nullptr;
  RETURN_IF_ERROR(check(api.GetAllocatorWithDefaultOptions(&allocator)));
  char* name = nullptr;
  RETURN_IF_ERROR(check(get(session, i, allocator, &name)));
  std::string text = name;
  RETURN_IF_ERROR(check(api.AllocatorFree(allocator, name)));
  return text;
}

}  // namespace

Result<std::vector<std::string>> LoadedModel::InputNames() const {
  size_t count = 0;
  RETURN_IF_ERROR(
      Checker(*api_)(api_->SessionGetInputCount(session_.get(), &count)));
  std::vector<std::string> names(count);
  for (size_t i = 0; i < count; ++i) {
    ASSIGN_OR_RETURN(
        names[i], NameAt(*api_, session_.get(), i, api_->SessionGetInputName));
  }
  return names;
}

Result<std::vector<OutputType>> LoadedModel::Outputs() const {
  const Checker check(*api_);
  size_t count = 0;
  RETURN_IF_ERROR(check(api_->SessionGetOutputCount(session_.get(), &count)));
  std::vector<OutputType> outputs(count);
  for (size_t i = 0; i < count; ++i) {
    OutputType& output = outputs[i];
    ASSIGN_OR_RETURN(output.name, NameAt(*api_, session_.get(), i,
                                         api_->SessionGetOutputName));
    TypeInfo* info = nullptr;
    RETURN_IF_ERROR(
        check(api_->SessionGetOutputTypeInfo(session_.get(), i, &info)));
    const Owned<TypeInfo> owned(info, api_->ReleaseTypeInfo);
    ValueKind kind = ValueKind::kUnknown;
    RETURN_IF_ERROR(check(api_->GetOnnxTypeFromTypeInfo(info, &kind)));
    output.tensor = kind == ValueKind::kTensor;
    if (!output.tensor) continue;
    const TensorInfo* tensor = nullptr;  // part of `info`
    RETURN_IF_ERROR(check(api_->CastTypeInfoToTensorInfo(info, &tensor)));
    RETURN_IF_ERROR(ReadType(*api_, *tensor, output.type, output.shape));
  }
  return outputs;
}

namespace {

Result<Owned<Value>> MakeValue(const Api& api, const MemoryInfo& memory,
                               const Feed& feed) {
  Value* value = nullptr;
  RETURN_IF_ERROR(Checker(api)(api.CreateTensorWithDataAsOrtValue(
      &memory, const_cast<char*>(feed.bytes.data()), feed.bytes.size(),
      feed.shape.data(), feed.shape.size(), ToRuntime(feed.type), &value)));
  return Owned<Value>(value, api.ReleaseValue);
}

Result<Fetched> Describe(const Api& api, Owned<Value> value) {
  const Checker check(api);
  Fetched out{.value = std::move(value)};
  if (out.value == nullptr) return out;  // an optional that holds nothing
  ValueKind kind = ValueKind::kUnknown;
  RETURN_IF_ERROR(check(api.GetValueType(out.value.get(), &kind)));
  out.tensor = kind == ValueKind::kTensor;
  if (!out.tensor) return out;
  TensorInfo* info = nullptr;
  RETURN_IF_ERROR(check(api.GetTensorTypeAndShape(out.value.get(), &info)));
  const Owned<TensorInfo> owned(info, api.ReleaseTensorInfo);
  RETURN_IF_ERROR(ReadType(api, *info, out.type, out.shape));
  void* data = nullptr;
  RETURN_IF_ERROR(check(api.GetTensorMutableData(out.value.get(), &data)));
  out.data = static_cast<const char*>(data);
  return out;
}

std::vector<const char*> Pointers(std::span<const std::string> names) {
  std::vector<const char*> pointers;
  for (const std::string& name : names) pointers.push_back(name.c_str());
  return pointers;
}

}  // namespace

Result<std::vector<Fetched>> LoadedModel::Run(
    std::span<const Feed> feeds, std::span<const std::string> names) const {
  const Checker check(*api_);
  MemoryInfo* memory = nullptr;
  RETURN_IF_ERROR(
      check(api_->CreateCpuMemoryInfo(kArena, kDefaultMemory, &memory)));
  const Owned<MemoryInfo> owned(memory, api_->ReleaseMemoryInfo);
  std::vector<Owned<Value>> held;
  std::vector<const Value*> inputs;
  std::vector<const char*> input_names;
  ASSIGN_OR_RETURN(const std::vector<std::string> taken, InputNames());
  for (const Feed& feed : feeds) {
    if (std::ranges::find(taken, feed.name) == taken.end()) continue;
    ASSIGN_OR_RETURN(Owned<Value> value, MakeValue(*api_, *memory, feed));
    inputs.push_back(value.get());
    input_names.push_back(feed.name.c_str());
    held.push_back(std::move(value));
  }
  std::vector<Value*> outputs(names.size(), nullptr);
  RETURN_IF_ERROR(check(api_->Run(
      session_.get(), nullptr, input_names.data(), inputs.data(), inputs.size(),
      Pointers(names).data(), names.size(), outputs.data())));
  std::vector<Owned<Value>> made;  // all of them, before one can fail
  for (Value* value : outputs) made.emplace_back(value, api_->ReleaseValue);
  std::vector<Fetched> fetched;
  for (Owned<Value>& value : made) {
    ASSIGN_OR_RETURN(Fetched one, Describe(*api_, std::move(value)));
    fetched.push_back(std::move(one));
  }
  return fetched;
}

}  // namespace assay::ort
