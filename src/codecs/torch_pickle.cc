// What torch.save writes about tensors:
//   _rebuild_tensor_v2(storage, offset, size, strides, grad, hooks[, more])
//   _rebuild_tensor_v3(storage, offset, size, strides, grad, hooks, dtype
//                      [, more])
//   storage = persistent id ('storage', torch.FloatStorage, '0', 'cpu', numel)
// in any nesting of dicts, lists and tuples.
#include "codecs/torch_pickle.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "base/text.h"
#include "codecs/pickle.h"
#include "codecs/torch_names.h"

namespace assay {
namespace {

using Kind = PickleValue::Kind;

constexpr size_t kDeepest = 64;
constexpr size_t kMostDims = 64;
constexpr size_t kLongestName = 4096;
// A value may be mentioned again and again in a few bytes: what comes out is
// limited, not only what goes in.
constexpr uint64_t kMostVisits = uint64_t{1} << 22;
constexpr uint64_t kMostTensors = uint64_t{1} << 18;
constexpr uint64_t kMostNameBytes = uint64_t{1} << 26;

constexpr std::string_view kBomb = "it may be made to exhaust memory";

Error Odd(std::string_view what) {
  return Corrupt("{}", what).Hint("the file is damaged; save it again");
}

// Walks over all values and collects the tensors.
class Collector {
 public:
  explicit Collector(const Pickle& pickle) : pickle_(pickle) {}

  Status Visit(const PickleValue& value);
  std::vector<TorchTensor> Take() { return std::move(tensors_); }
  const std::string& path() const { return path_; }

 private:
  Status Spend(size_t values);
  Status Under(std::string_view name, const PickleValue& value);
  Status VisitList(std::span<const PickleValue> items);
  Status VisitPairs(std::span<const PickleValue> pairs);
  Status VisitCall(const PickleValue& call);
  Status VisitOrdered(std::span<const PickleValue> items);
  Status Add(const PickleValue& call, bool typed);

  Result<std::string> KeyName(const PickleValue& key) const;
  std::optional<std::string> ScalarName(const PickleValue& key) const;
  Status ReadStorage(const PickleValue& id, TorchTensor& tensor) const;
  Result<std::vector<int64_t>> Numbers(PickleValue value) const;
  Status CheckMore(std::span<const PickleValue> more) const;

  const Pickle& pickle_;
  std::string path_;
  size_t depth_ = 0;
  uint64_t visits_ = 0, name_bytes_ = 0;
  std::vector<TorchTensor> tensors_;
};

Status Collector::Spend(size_t values) {
  visits_ += values;
  if (visits_ <= kMostVisits) return Done{};
  return TooLarge("the pickle unfolds to more than {} values", kMostVisits)
      .Hint(kBomb);
}

Status Collector::Visit(const PickleValue& value) {
  if (depth_ == kDeepest) {
    return Unsupported("values are nested more than {} deep", kDeepest);
  }
  RETURN_IF_ERROR(Spend(1));
  ++depth_;
  switch (value.kind) {
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kSet:
      RETURN_IF_ERROR(VisitList(pickle_.Items(value)));
      break;
    case Kind::kDict:
      RETURN_IF_ERROR(VisitPairs(pickle_.Items(value)));
      break;
    case Kind::kCall:
      RETURN_IF_ERROR(VisitCall(value));
      break;
    default:
      break;
  }
  --depth_;
  return Done{};
}

Status Collector::Under(std::string_view name, const PickleValue& value) {
  const size_t before = path_.size();
  if (before + name.size() >= kLongestName) {
    return Unsupported("a name has more than {} bytes", kLongestName);
  }
  if (before > 0) path_ += '.';
  path_ += name;
  RETURN_IF_ERROR(Visit(value));
  path_.resize(before);
  return Done{};
}

Status Collector::VisitList(std::span<const PickleValue> items) {
  RETURN_IF_ERROR(Spend(items.size()));
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is_node()) continue;
    RETURN_IF_ERROR(Under(fmt::format_int(i).c_str(), items[i]));
  }
  return Done{};
}

Status Collector::VisitPairs(std::span<const PickleValue> pairs) {
  RETURN_IF_ERROR(Spend(pairs.size()));
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (!pairs[i + 1].is_node()) continue;
    ASSIGN_OR_RETURN(const std::string name, KeyName(pairs[i]));
    RETURN_IF_ERROR(Under(name, pairs[i + 1]));
  }
  return Done{};
}

Status Collector::VisitCall(const PickleValue& call) {
  const auto items = pickle_.Items(call);
  const auto arguments = pickle_.Items(items.front());
  switch (TorchNameOf(pickle_.GlobalOf(call)).role) {
    case TorchRole::kTensor:
      return Add(call, false);
    case TorchRole::kTyped:
      return Add(call, true);
    case TorchRole::kParameter:
    case TorchRole::kSet:
      return arguments.empty() ? Status(Done{}) : Visit(arguments.front());
    case TorchRole::kDict:
      return VisitOrdered(items);
    default:
      return Done{};
  }
}

// An OrderedDict: made of a list of pairs, or empty and then filled.
Status Collector::VisitOrdered(std::span<const PickleValue> items) {
  const auto arguments = pickle_.Items(items.front());
  if (!arguments.empty()) {
    const auto list = pickle_.Items(arguments.front());
    RETURN_IF_ERROR(Spend(list.size()));
    for (const PickleValue& pair : list) {
      RETURN_IF_ERROR(VisitPairs(pickle_.Items(pair)));
    }
  }
  return VisitPairs(items.subspan(1));
}

std::optional<std::string> Collector::ScalarName(const PickleValue& key) const {
  switch (key.kind) {
    case Kind::kText:
    case Kind::kBytes:
      return std::string(pickle_.Text(key).substr(0, kLongestName));
    case Kind::kInt:
      return fmt::format("{}", key.number);
    case Kind::kFloat:
      return ShortestText(std::bit_cast<double>(key.number));
    case Kind::kBool:
      return key.number != 0 ? "True" : "False";
    case Kind::kNone:
      return "None";
    case Kind::kGlobal:
      return std::string(TorchGlobals()[static_cast<size_t>(key.number)].name);
    default:
      return std::nullopt;
  }
}

Result<std::string> Collector::KeyName(const PickleValue& key) const {
  if (auto name = ScalarName(key)) return *std::move(name);
  const auto items = pickle_.Items(key);
  bool good = key.kind == Kind::kTuple && items.size() <= kMostDims;
  std::string names;
  for (size_t i = 0; good && i < items.size(); ++i) {
    const auto name = ScalarName(items[i]);
    good = name && names.size() + name->size() < kLongestName;
    if (good) names += (i == 0 ? "" : ",") + *name;
  }
  if (good) return "(" + names + ")";
  return Unsupported("a dict has a key that makes no name");
}

Result<std::vector<int64_t>> Collector::Numbers(PickleValue value) const {
  if (TorchNameOf(pickle_.GlobalOf(value)).role == TorchRole::kSize) {
    const auto items = pickle_.Items(value);
    const auto arguments = items.empty() ? items : pickle_.Items(items.front());
    if (arguments.size() == 1) value = arguments[0];
  }
  if (value.kind != Kind::kTuple) return Odd("a size that is no tuple");
  const auto items = pickle_.Items(value);
  if (items.size() > kMostDims) {
    return Unsupported("{} dimensions, at most {} are read", items.size(),
                       kMostDims);
  }
  std::vector<int64_t> numbers;
  for (const PickleValue& item : items) {
    if (item.kind != Kind::kInt) return Odd("a size that is no number");
    numbers.push_back(item.number);
  }
  return numbers;
}

Status Collector::ReadStorage(const PickleValue& id,
                              TorchTensor& tensor) const {
  if (id.kind != Kind::kForeign) return Odd("a tensor without a storage");
  const auto fields = pickle_.Items(pickle_.Items(id).front());
  if (fields.size() < 5 || pickle_.Text(fields[0]) != "storage" ||
      fields[2].kind != Kind::kText || fields[4].kind != Kind::kInt ||
      fields[4].number < 0) {
    return Odd("a persistent id that is no storage");
  }
  const TorchName type = TorchNameOf(pickle_.GlobalOf(fields[1]));
  if (type.role != TorchRole::kStorage) return Odd("a storage without a type");
  tensor.dtype = type.dtype;
  tensor.storage = pickle_.Text(fields[2]);
  const auto bytes =
      ByteCount(type.dtype, static_cast<uint64_t>(fields[4].number));
  if (!bytes) return Odd("a storage that is too large");
  tensor.storage_bytes = *bytes;
  return Done{};
}

// Views that are only marked as conjugate or negative: the storage has not
// the values.
Status Collector::CheckMore(std::span<const PickleValue> more) const {
  if (more.empty()) return Done{};
  const auto pairs = pickle_.Items(more.front());
  if (pairs.size() > kMostDims) return Odd("a tensor with too many marks");
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    if (pairs[i + 1].kind == Kind::kBool && pairs[i + 1].number == 0) continue;
    return Unsupported("the tensor is a view with the mark '{}'",
                       pickle_.Text(pairs[i]).substr(0, 32))
        .Hint("save resolve_conj() or resolve_neg() of it");
  }
  return Done{};
}

Status Collector::Add(const PickleValue& call, bool typed) {
  const auto a = pickle_.Items(pickle_.Items(call).front());
  const size_t needed = typed ? 7 : 6;
  if (a.size() < needed || a[1].kind != Kind::kInt || a[1].number < 0) {
    return Odd("a tensor without its offset, size or strides");
  }
  TorchTensor tensor;
  tensor.name = path_;
  tensor.offset = static_cast<uint64_t>(a[1].number);
  RETURN_IF_ERROR(ReadStorage(a[0], tensor));
  ASSIGN_OR_RETURN(tensor.shape, Numbers(a[2]));
  ASSIGN_OR_RETURN(tensor.strides, Numbers(a[3]));
  if (typed) {
    const TorchName type = TorchNameOf(pickle_.GlobalOf(a[6]));
    if (type.role != TorchRole::kDType) return Odd("a tensor without a type");
    tensor.dtype = type.dtype;
  }
  RETURN_IF_ERROR(CheckMore(a.subspan(needed)));
  name_bytes_ += path_.size();
  if (tensors_.size() == kMostTensors || name_bytes_ > kMostNameBytes) {
    return TooLarge("the pickle unfolds to too many tensors").Hint(kBomb);
  }
  tensors_.push_back(std::move(tensor));
  return Done{};
}

Status CheckNames(const std::vector<TorchTensor>& tensors) {
  std::vector<std::string_view> names;
  for (const TorchTensor& tensor : tensors) names.push_back(tensor.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return Done{};
  return Unsupported("two tensors are named '{}'", *twice)
      .Hint("it is not clear which one counts");
}

}  // namespace

Result<std::vector<TorchTensor>> ReadTorchPickle(std::string_view bytes,
                                                 uint64_t max_memory) {
  constexpr uint64_t kValueBytes = 100;
  PickleLimits limits;
  limits.values = std::min(limits.values, max_memory / kValueBytes);
  auto pickle = Pickle::Read(bytes, TorchGlobals(), limits);
  if (!pickle) return std::move(pickle).error();
  Collector collector(*pickle);
  if (Status status = collector.Visit(pickle->root()); !status) {
    return std::move(status).error().Of(collector.path());
  }
  std::vector<TorchTensor> tensors = collector.Take();
  RETURN_IF_ERROR(CheckNames(tensors));
  return tensors;
}

}  // namespace assay
