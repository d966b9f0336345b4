// Two HDF5 files of PyTorch's dump hooks:
//   OPERATOR/ORDER/input|output/PARAMETER
// The k-th execution of an operator on one side belongs to the k-th on the
// other; devices call some operators and parameters differently.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/text.h"
#include "pairing/builder.h"
#include "pairing/strategy.h"
#include "sources/digits.h"

namespace assay {
namespace {

struct Call {
  std::string_view op;
  int64_t order = 0;
  bool input = false;
  std::string_view parameter;
};

std::string_view TakeLevel(std::string_view& path) {
  const std::string_view level = path.substr(0, path.find('/'));
  path.remove_prefix(std::min(path.size(), level.size() + 1));
  return level;
}

std::optional<Call> ParseCall(std::string_view path) {
  Call call;
  call.op = TakeLevel(path);
  const auto order = ParseSmall(TakeLevel(path));
  const std::string_view port = TakeLevel(path);
  if (!order || call.op.empty() || path.empty()) return std::nullopt;
  if (port != "input" && port != "output") return std::nullopt;
  call.order = *order;
  call.input = port == "input";
  call.parameter = path;
  return call;
}

// Two operators that are one on other devices count together.
std::string_view CountedAs(std::string_view op) {
  return op == "ThnnConvDepthwise2DBackward" ? "CudnnConvolutionBackward" : op;
}

// What other devices call an operator.
std::vector<std::string> OtherNames(std::string_view op) {
  constexpr std::string_view kSame[][2] = {
      {"NativeBatchNormBackward", "CudnnBatchNormBackward"},
      {"NpuConvolutionBackward", "CudnnConvolutionBackward"},
      {"NpuConvolutionBackward", "ThnnConvDepthwise2DBackward"}};
  constexpr std::string_view kPrefix[][2] = {{"Npu", "Cudnn"}, {"Npu", "Thnn"}};
  std::vector<std::string> names;
  for (const auto& pair : kSame) {
    if (op == pair[0]) names.emplace_back(pair[1]);
    if (op == pair[1]) names.emplace_back(pair[0]);
  }
  for (const auto& pair : kPrefix) {
    for (const int from : {0, 1}) {
      if (!op.starts_with(pair[from])) continue;
      names.push_back(
          fmt::format("{}{}", pair[1 - from], op.substr(pair[from].size())));
    }
  }
  return names;
}

// The parameter with each level called as other devices do.
std::string OtherParameter(std::string_view parameter) {
  constexpr std::string_view kSame[][2] = {{"eps", "epsilon"},
                                           {"input", "self"}};
  std::string out;
  while (!parameter.empty()) {
    std::string_view level = TakeLevel(parameter);
    for (const auto& pair : kSame) {
      const std::string_view was = level;
      if (was == pair[0]) level = pair[1];
      if (was == pair[1]) level = pair[0];
    }
    out += out.empty() ? "" : "/";
    out += level;
  }
  return out;
}

// One side: calls by operator and number of execution.
class Calls {
 public:
  explicit Calls(const Dump& dump) {
    std::map<std::string_view, std::set<int64_t>> orders;
    for (const TensorInfo& tensor : dump.tensors) {
      calls_.push_back(ParseCall(tensor.stored.name));
      if (!calls_.back()) continue;
      has_input_ = has_input_ || calls_.back()->input;
      orders[CountedAs(calls_.back()->op)].insert(calls_.back()->order);
    }
    for (const auto& [op, all] : orders) {
      int64_t k = 0;
      for (const int64_t order : all) number_[{op, order}] = k++;
    }
    for (uint32_t i = 0; i < calls_.size(); ++i) {
      if (!calls_[i]) continue;
      const Call& c = *calls_[i];
      orders_.emplace(std::pair(c.op, NumberOf(c)), c.order);
      ran_.emplace(c.op, c.order);
      tensors_.emplace(std::tuple(c.op, c.order, c.input, c.parameter), i);
    }
  }

  bool has_input() const { return has_input_; }
  const std::optional<Call>& operator[](uint32_t i) const { return calls_[i]; }
  int64_t NumberOf(const Call& c) const {
    return number_.at({CountedAs(c.op), c.order});
  }
  bool Ran(std::string_view op, int64_t order) const {
    return ran_.contains({op, order});
  }
  // Order of the k-th execution; -1: there is none.
  int64_t OrderOf(std::string_view op, int64_t k) const {
    const auto found = orders_.find({op, k});
    return found == orders_.end() ? -1 : found->second;
  }
  std::optional<uint32_t> Find(const Call& c) const {
    const auto found = tensors_.find({c.op, c.order, c.input, c.parameter});
    if (found == tensors_.end()) return std::nullopt;
    return found->second;
  }

 private:
  std::vector<std::optional<Call>> calls_;  // by tensor
  bool has_input_ = false;
  std::map<std::pair<std::string_view, int64_t>, int64_t> number_;
  std::map<std::pair<std::string_view, int64_t>, int64_t> orders_;
  std::set<std::pair<std::string_view, int64_t>> ran_;
  std::map<std::tuple<std::string_view, int64_t, bool, std::string_view>,
           uint32_t>
      tensors_;
};

// The golden call that a target call belongs to, without its parameter.
struct Partner {
  std::string op;
  int64_t order = -1;  // none
};

Partner FindPartner(const Call& mine, const Calls& target,
                    const Calls& golden) {
  const int64_t k = target.NumberOf(mine);
  std::vector<std::string> names = OtherNames(mine.op);
  names.insert(names.begin(), std::string(mine.op));
  for (const std::string& op : names) {
    // Without inputs the target was run on loaded data, in golden's order.
    const bool loaded = !target.has_input();
    if (loaded && golden.Ran(op, mine.order)) return {op, mine.order};
    const int64_t order = golden.OrderOf(op, k);
    if (!loaded && order >= 0) return {op, order};
  }
  return {};
}

// Devices differ in the width of some types; other types mean other values.
bool MayMeet(const TensorInfo& a, const TensorInfo& b) {
  constexpr DType kAlike[][2] = {{DType::kI32, DType::kI64},
                                 {DType::kF32, DType::kF16}};
  const DType x = a.stored.dtype, y = b.stored.dtype;
  if (x == y || a.error() || b.error()) return true;
  return std::ranges::any_of(kAlike, [&](const auto& pair) {
    return (x == pair[0] && y == pair[1]) || (x == pair[1] && y == pair[0]);
  });
}

void PairFound(uint32_t g, uint32_t t, std::string why, PairingBuilder& out) {
  const TensorInfo &a = out.Golden(g), &b = out.Target(t);
  if (MayMeet(a, b)) return out.Add(g, t, std::move(why));
  why += fmt::format(", but golden is {} and target {}: not the same tensor",
                     Name(a.stored.dtype), Name(b.stored.dtype));
  out.SayGolden(g, why);
  out.SayTarget(t, why);
}

void PairOne(uint32_t t, const Calls& target, const Calls& golden,
             PairingBuilder& out) {
  const auto& mine = target[t];
  if (!mine) return out.SayTarget(t, "its path names no call of an operator");
  const Partner partner = FindPartner(*mine, target, golden);
  const int64_t k = target.NumberOf(*mine);
  if (partner.order < 0) {
    return out.SayTarget(
        t, fmt::format("the golden has no execution {} of {}", k, mine->op));
  }
  Call call{partner.op, partner.order, mine->input, mine->parameter};
  auto g = golden.Find(call);
  const std::string renamed = OtherParameter(mine->parameter);
  call.parameter = renamed;
  if (!g) g = golden.Find(call);
  if (!g) {
    return out.SayTarget(
        t, fmt::format("{}/{} of the golden has no {} '{}'", partner.op,
                       partner.order, mine->input ? "input" : "output",
                       mine->parameter));
  }
  PairFound(
      *g, t,
      fmt::format("execution {} of {}", k,
                  partner.op == mine->op
                      ? partner.op
                      : fmt::format("{}, there {}", mine->op, partner.op)),
      out);
}

bool IsCalls(const Dump& dump) {
  if (dump.files.size() != 1) return false;
  const std::string_view file = dump.files.front();
  const auto is_call = [](const TensorInfo& t) {
    return ParseCall(t.stored.name).has_value();
  };
  return (file.ends_with(".h5") || file.ends_with(".hdf5")) &&
         std::ranges::any_of(dump.tensors, is_call);
}

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  const bool fits = IsCalls(golden) && IsCalls(target) &&
                    options.map_file.empty() && options.renames.empty();
  return fits ? "both sides are HDF5 files of calls of operators" : "";
}

Result<Pairing> DoPair(const Dump& golden_dump, const Dump& target_dump,
                       const PairOptions& options) {
  const Calls golden(golden_dump), target(target_dump);
  PairingBuilder out(golden_dump, target_dump);
  for (uint32_t t = 0; t < target_dump.tensors.size(); ++t) {
    PairOne(t, target, golden, out);
  }
  const auto golden_rest = [&](uint32_t g) -> std::string {
    const auto& call = golden[g];
    if (!call) return "its path names no call of an operator";
    if (call->input && !target.has_input()) {
      return "the target was run on loaded inputs and has none of its own";
    }
    return fmt::format("no target tensor belongs to execution {} of {}",
                       golden.NumberOf(*call), call->op);
  };
  return out.Finish(options, golden_rest, [](uint32_t) {
    return std::string("no golden tensor belongs to it");
  });
}

}  // namespace

extern constinit const Strategy kHdf5Pairing = {
    .name = "hdf5",
    .summary = "PyTorch's HDF5 dumps: the k-th execution of each operator",
    .fits = Fits,
    .pair = DoPair,
};

}  // namespace assay
