#include "legacy/llm_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>

#include "base/parallel.h"
#include "legacy/numpy.h"
#include "legacy/old_files.h"
#include "legacy/python_calls.h"

namespace assay {
namespace {

struct QuantisedWeight {
  const TensorInfo *golden = nullptr, *weight = nullptr;
  const TensorInfo *offset = nullptr, *scale = nullptr;
};

std::string Beside(std::string name, std::string_view what) {
  constexpr std::string_view kWeight = "weight";
  for (size_t at = name.find(kWeight); at != name.npos;
       at = name.find(kWeight, at + what.size())) {
    name.replace(at, kWeight.size(), what);
  }
  return name;
}

std::vector<QuantisedWeight> FindQuantised(const LlmPlan& plan) {
  std::map<std::string_view, const TensorInfo*> mine;
  for (const TensorInfo& tensor : plan.my.tensors) {
    if (!tensor.error()) mine.emplace(tensor.stored.name, &tensor);
  }
  const auto find = [&](std::string_view name) {
    const auto found = mine.find(name);
    return found == mine.end() ? nullptr : found->second;
  };
  std::vector<QuantisedWeight> found;
  for (const TensorInfo& golden : plan.golden.tensors) {
    const std::string& name = golden.stored.name;
    if (!name.ends_with("weight") || golden.error()) continue;
    const QuantisedWeight weight = {&golden, find(name),
                                    find(Beside(name, "weight_offset")),
                                    find(Beside(name, "weight_scale"))};
    if (weight.weight == nullptr || weight.offset == nullptr) continue;
    if (weight.weight->stored.dtype != DType::kI8) continue;
    if (weight.scale != nullptr) found.push_back(weight);
  }
  return found;
}

// What torch computes in if both have dimensions.
DType Promoted(DType a, DType b) {
  const bool floats = Info(a).kind == DKind::kFloat;
  if (floats != (Info(b).kind == DKind::kFloat)) return floats ? a : b;
  if (Info(a).bits != Info(b).bits) return Info(a).bits > Info(b).bits ? a : b;
  return a == b ? a : floats ? DType::kF32 : DType::kI16;
}

float Rounded(float x, DType type) {
  if (type == DType::kF16) return ToHalf(x);
  if (type == DType::kI8) return static_cast<int8_t>(static_cast<int>(x));
  if (type != DType::kBF16 || x != x) return x;
  auto bits = std::bit_cast<uint32_t>(x);
  bits += 0x7FFF + (bits >> 16 & 1);
  return std::bit_cast<float>(bits & 0xFFFF0000);
}

// A small tensor stretched over the dimensions of a large one.
class Stretched {
 public:
  static Result<Stretched> Make(const Dump& dump, const TensorInfo& tensor,
                                const Shape& shape) {
    const StoredView view = dump.ViewOf(tensor);
    const uint64_t count = ElementCount(view.shape).value_or(0);
    Stretched out;
    out.strides_.resize(shape.size());
    auto stride = static_cast<int64_t>(count);
    const size_t rank = view.shape.size();
    for (size_t i = 0; i < rank && rank <= shape.size(); ++i) {
      const size_t at = shape.size() - rank + i;
      stride /= std::max<int64_t>(view.shape[i], 1);
      if (view.shape[i] == shape[at]) out.strides_[at] = stride;
      if (view.shape[i] != shape[at] && view.shape[i] != 1) stride = -1;
      if (stride < 0) break;
    }
    if (rank > shape.size() || stride < 0) {
      return Unsupported("{} does not stretch over {}", ToText(view.shape),
                         ToText(shape));
    }
    ASSIGN_OR_RETURN(out.values_, FlatArray(view, count, false));
    return out;
  }

  float At(const Shape& line, int64_t k) const {
    int64_t at = strides_.empty() ? 0 : k * strides_.back();
    for (size_t i = 0; i < line.size(); ++i) at += line[i] * strides_[i];
    float value = 0;
    std::memcpy(&value, values_.bytes.data() + 4 * at, sizeof(value));
    return value;
  }

 private:
  OldArray values_;
  std::vector<int64_t> strides_;  // 0: one value for all
};

// (weight - offset) * scale; the type it has in torch goes to `type`.
Result<OldArray> Dequantised(const Dump& my, const QuantisedWeight& weight,
                             DType& type) {
  const DType first = Promoted(DType::kI8, weight.offset->stored.dtype);
  type = Promoted(first, weight.scale->stored.dtype);
  if (Info(type).kind != DKind::kFloat) {
    return Unsupported("its scale is no floating-point number");
  }
  const StoredView view = my.ViewOf(*weight.weight);
  const Shape& shape = view.shape;
  ASSIGN_OR_RETURN(const auto offset,
                   Stretched::Make(my, *weight.offset, shape));
  ASSIGN_OR_RETURN(const auto scale, Stretched::Make(my, *weight.scale, shape));
  const uint64_t count = ElementCount(shape).value_or(0);
  ASSIGN_OR_RETURN(OldArray array, FlatArray(view, count, false));
  array.shape = shape;
  const Shape outer(shape.begin(),
                    shape.empty() ? shape.end() : shape.end() - 1);
  const int64_t width = shape.empty() ? 1 : shape.back();
  char* at = array.bytes.data();
  for (uint64_t i = 0; i < ElementCount(outer).value_or(0); ++i) {
    const Shape line = Coordinates(i, outer);
    for (int64_t k = 0; k < width; ++k, at += sizeof(float)) {
      float value = 0;
      std::memcpy(&value, at, sizeof(value));
      value = Rounded(value - offset.At(line, k), first);
      value = Rounded(value * scale.At(line, k), type);
      std::memcpy(at, &value, sizeof(value));
    }
  }
  return array;
}

Result<MsitRow> Compare(const LlmPlan& plan, const QuantisedWeight& weight,
                        const std::string& path) {
  DType type = DType::kF32;
  ASSIGN_OR_RETURN(const OldArray array, Dequantised(plan.my, weight, type));
  RETURN_IF_ERROR(WriteNpy(array, path));
  const auto copy = OpenDumpFile(path);
  if (!copy) return Unsupported("{}", copy.error().text);
  ASSIGN_OR_RETURN(MsitRow row, AskMsit({plan.golden.ViewOf(*weight.golden),
                                         copy->ViewOf(copy->tensors.at(0))}));
  row.my.dtype = TorchTypeText(type);
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
  return row;
}

}  // namespace

Result<std::vector<LlmRow>> CompareQuantisedWeights(const LlmPlan& plan,
                                                    const LlmSources& sources) {
  const std::vector<QuantisedWeight> weights = FindQuantised(plan);
  if (weights.empty()) return std::vector<LlmRow>();
  ASSIGN_OR_RETURN(const ScratchFolder folder, ScratchFolder::Make());
  std::vector<std::optional<LlmRow>> found(weights.size());
  std::mutex mutex;
  ParallelFor(weights.size(), DefaultThreads(), [&](size_t i, size_t) {
    const QuantisedWeight& weight = weights[i];
    auto row = Compare(plan, weight,
                       fmt::format("{}/weight_{}.npy", folder.path(), i));
    if (row) {
      found[i] = LlmRow{{.golden = {&plan.golden, weight.golden},
                         .my = {&plan.my, weight.weight}},
                        *std::move(row)};
      return;
    }
    const std::lock_guard lock(mutex);
    sources.say(fmt::format("{} is not compared: {}",
                            weight.golden->stored.name, row.error().what));
  });
  std::vector<LlmRow> rows;
  for (auto& row : found) {
    if (row) rows.push_back(*std::move(row));
  }
  return rows;
}

}  // namespace assay
