#include "legacy/hook_match.h"

#include <fmt/format.h>

namespace assay {
namespace {

enum Device : int64_t { kCpu = 0, kGpu = 1, kNpu = 10 };

constexpr std::string_view kSame[][2] = {
    {"CudnnBatchNormBackward", "NativeBatchNormBackward"},
    {"NativeBatchNormBackward", "CudnnBatchNormBackward"},
    {"CudnnConvolutionBackward", "NpuConvolutionBackward"},
    {"ThnnConvDepthwise2DBackward", "NpuConvolutionBackward"},
    {"NpuConvolutionBackward", "CudnnConvolutionBackward"},
    {"NpuConvolutionBackward", "ThnnConvDepthwise2DBackward"}};

// operator, its name of a parameter, the other device's
constexpr std::string_view kParameters[][3] = {
    {"CudnnBatchNormBackward", "epsilon", "eps"},
    {"NativeBatchNormBackward", "eps", "epsilon"},
    {"CudnnConvolutionBackward", "self", "input"},
    {"ThnnConvDepthwise2DBackward", "self", "input"},
    {"NpuConvolutionBackward", "input", "self"}};

// "CudnnRelu:0" of "NpuRelu:0"; empty: it does not begin so.
std::string Replaced(const std::string& name, std::string_view from,
                     std::string_view to) {
  if (!name.starts_with(from)) return "";
  return fmt::format("{}{}", to, name.substr(from.size()));
}

std::string OtherPrefix(const std::string& name,
                        std::optional<int64_t> device) {
  std::string other;
  if (device == kCpu) other = Replaced(name, "Npu", "Thnn");
  if (device == kGpu) other = Replaced(name, "Npu", "Cudnn");
  if (other.empty()) other = Replaced(name, "Thnn", "Npu");
  if (other.empty()) other = Replaced(name, "Cudnn", "Npu");
  return other.empty() ? name : other;
}

// "/input/grads/x" of "/Addmm/4/input/grads/x"
std::string_view BelowCall(std::string_view path) {
  for (int level = 0; level < 2; ++level) path = path.substr(path.find('/', 1));
  return path;
}

std::string_view OtherParameter(std::string_view op, std::string_view name) {
  for (const auto& [known, from, to] : kParameters) {
    if (known == op && from == name) return to;
  }
  return "";
}

}  // namespace

std::string HookMatch::OtherCall(const HookCall& call, const HookFile& there,
                                 std::optional<int64_t> device) const {
  const std::string name = call.Name();
  if (there.Find(name) != nullptr) return name;
  // The original looks on my side whenever the other device is an NPU.
  const HookFile& known = device == kNpu ? my_ : golden_;
  for (const auto& [from, to] : kSame) {
    if (call.op != from) continue;
    const std::string other = fmt::format("{}:{}", to, call.number);
    if (known.Find(other) != nullptr) return other;
  }
  return OtherPrefix(name, device);
}

std::string HookMatch::GoldenCall(const HookCall& mine) const {
  return OtherCall(mine, golden_, golden_.device);
}

std::string HookMatch::MyCall(const HookCall& golden) const {
  return OtherCall(golden, my_, kNpu);
}

const HookDataset* HookMatch::Find(const HookCall& call, const HookDataset& d,
                                   const HookFile& there,
                                   const std::string& name) const {
  // Without inputs my side was run on loaded data, in golden's order.
  const int64_t order = my_.has_inputs ? there.OrderOf(name) : call.order;
  const std::string path = fmt::format(
      "/{}/{}{}", name.substr(0, name.find(':')), order, BelowCall(d.path));
  if (const HookDataset* found = there.FindDataset(path)) return found;
  const size_t last = path.rfind('/') + 1;
  const std::string_view other = OtherParameter(call.op, path.substr(last));
  if (other.empty()) return nullptr;
  return there.FindDataset(path.substr(0, last).append(other));
}

const HookDataset* HookMatch::Golden(const HookCall& mine,
                                     const HookDataset& d) const {
  const std::string name = GoldenCall(mine);
  if (golden_.Find(name) == nullptr) return nullptr;
  return Find(mine, d, golden_, name);
}

const HookDataset* HookMatch::Mine(const HookCall& golden,
                                   const HookDataset& d) const {
  return Find(golden, d, my_, MyCall(golden));
}

}  // namespace assay
