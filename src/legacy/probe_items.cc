#include "legacy/probe_items.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/json_file.h"
#include "base/text.h"
#include "legacy/numpy.h"

namespace assay {
namespace {

using enum JsonKind;

uint32_t Crc32(const std::string& text) {
  return static_cast<uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(text.data()),
            static_cast<uInt>(text.size())));
}

ProbeValue ScalarOf(const JsonToken& token) {
  if (token.kind == kTrue) return {"True"};
  if (token.kind == kFalse) return {"False"};
  if (token.kind == kString) return {token.Text()};
  if (token.kind != kNumber) return {};
  if (token.text.find_first_of(".eEnN") == token.text.npos) {
    return {std::string(token.text), ProbeValue::kWhole};
  }
  const double value = token.Real().value_or(0);
  return {ReprText(value), ProbeValue::kReal};
}

std::string_view ClassOf(const JsonToken& token) {
  if (token.kind == kTrue || token.kind == kFalse) return "bool";
  if (token.kind == kString) return "str";
  if (token.kind == kBeginArray) return "list";
  if (token.kind == kBeginObject) return "dict";
  if (token.kind != kNumber) return "NoneType";
  const bool whole = ScalarOf(token).kind == ProbeValue::kWhole;
  return whole ? "int" : "float";
}

// The leaf of dump.json that says its type.
struct Leaf {
  std::string type, dtype, md5, data_name;
  std::optional<std::string> shape, grad;
  std::map<std::string, ProbeValue, std::less<>> values;
  std::string_view value_class = "NoneType";
  size_t length = 0;  // of a list that is the value
  bool wrapped = false;

  ProbeValue At(std::string_view key) const {
    const auto found = values.find(key);
    return found == values.end() ? ProbeValue{} : found->second;
  }
};

constexpr std::string_view kStatistics[] = {"Max", "Min", "Mean", "Norm"};

// What stands for the statistics and the shape of something without a type of
// elements.
void DescribeOther(const Leaf& leaf, ProbeItem& item) {
  const ProbeValue value = leaf.At("value");
  item.dtype = leaf.type;
  if (leaf.type == "torch.Size") {
    item.shape = value.text;
    return;
  }
  if (leaf.type == "slice") {
    item.shape = fmt::format("({},)", leaf.length);
    return;
  }
  item.shape = "[]";
  const auto last = Split(item.name, '.').back();
  const bool rank = last == "src" || last == "dst" || last == "group_src" ||
                    last == "group_dst";
  ProbeValue shown = value;
  if (leaf.type == "torch.ProcessGroup") {
    shown = {leaf.At("group_ranks").text};
    item.md5 = shown.text;
  } else if (rank) {
    shown = {value.text};
    item.md5 = shown.text;
  } else if (leaf.type != "ellipsis") {
    item.dtype = fmt::format("<class '{}'>", leaf.value_class);
  }
  item.statistics.fill(shown);
}

ProbeItem ItemOf(const Leaf& leaf, const std::string& name) {
  ProbeItem item{.name = name};
  if (!leaf.data_name.empty()) {
    item.data_name = leaf.data_name;
    item.name = leaf.data_name.substr(0, leaf.data_name.rfind('.'));
  }
  if (leaf.grad) item.grad = *leaf.grad;
  item.md5 = leaf.md5;
  if (leaf.dtype.empty()) {
    DescribeOther(leaf, item);
  } else {
    item.dtype = leaf.dtype;
    item.shape = leaf.shape.value_or("None");
    for (size_t i = 0; i < item.statistics.size(); ++i) {
      item.statistics[i] = leaf.At(kStatistics[i]);
    }
  }
  for (ProbeValue& value : item.statistics) {
    if (value.text == "nan") value = {"Nan"};
  }
  if (item.md5.empty()) {
    const bool some = leaf.values.contains("value");
    item.md5 = fmt::format("{:08x}", Crc32(some ? leaf.At("value").text : ""));
  }
  return item;
}

class ItemReader {
 public:
  ItemReader(JsonScanner& scan, ProbeItems& out) : scan_(scan), out_(out) {}

  Status Read() {
    if (scan_.Next().kind != kBeginObject) return scan_.error();
    for (JsonToken key = scan_.Next(); key.kind == kKey; key = scan_.Next()) {
      const JsonToken value = scan_.Next();
      if (key.text == "task") out_.has_tensors = value.text == "tensor";
      if (key.text == "data" && value.kind == kBeginObject) {
        Calls();
      } else {
        scan_.Skip(value);
      }
    }
    return scan_.ok() ? Status(Done{}) : scan_.error();
  }

 private:
  void Calls() {
    for (JsonToken key = scan_.Next(); key.kind == kKey; key = scan_.Next()) {
      api_ = key.Text();
      items_.clear();
      const JsonToken value = scan_.Next();
      gradient_ = api_.ends_with(".parameters_grad") ||
                  api_.find(".parameters_grad.") != api_.npos;
      if (gradient_) {
        state_ = ProbeItem::kGradient;
        Value(value, api_);
      } else if (value.kind == kBeginObject) {
        Ports();
      } else {
        scan_.Skip(value);
      }
      Take();
    }
  }

  void Ports() {
    constexpr std::pair<std::string_view, ProbeItem::State> kPorts[] = {
        {"input_args", ProbeItem::kInput},
        {"input_kwargs", ProbeItem::kInput},
        {"input", ProbeItem::kInput},
        {"parameters", ProbeItem::kParameter},
        {"output", ProbeItem::kOutput}};
    for (JsonToken key = scan_.Next(); key.kind == kKey; key = scan_.Next()) {
      const auto port = std::ranges::find(
          kPorts, key.text, [](const auto& p) { return p.first; });
      if (port == std::end(kPorts)) {
        scan_.SkipValue();
        continue;
      }
      state_ = port->second;
      const bool input = state_ == ProbeItem::kInput;
      Value(scan_.Next(),
            fmt::format("{}.{}", api_, input ? "input" : port->first));
    }
  }

  void Value(const JsonToken& first, const std::string& name) {
    if (first.kind == kNull) return Add({.name = name});
    if (first.kind == kBeginObject) return Object(name);
    if (first.kind != kBeginArray) return;
    JsonToken item = scan_.Next();
    for (size_t i = 0; item.kind != kEndArray && item.kind != kError; ++i) {
      Value(item, gradient_ ? name : fmt::format("{}.{}", name, i));
      item = scan_.Next();
    }
  }

  void Object(const std::string& name) {
    Leaf leaf;
    for (JsonToken key = scan_.Next(); key.kind == kKey; key = scan_.Next()) {
      const JsonToken value = scan_.Next();
      if (key.text == "type" && value.kind == kString) {
        leaf.type = value.Text();
      } else if (key.text == "class_type" && value.kind == kString) {
        leaf.wrapped = true;
      } else if (!leaf.type.empty()) {
        Field(key.Text(), value, leaf);
      } else if (leaf.wrapped) {
        key.text == "tensor" ? Value(value, name) : scan_.Skip(value);
      } else {
        Value(value, fmt::format("{}.{}", name, key.Text()));
      }
    }
    if (!leaf.type.empty()) Add(ItemOf(leaf, name));
  }

  void Field(const std::string& key, const JsonToken& value, Leaf& leaf) {
    if (key == "md5" && value.kind == kString) out_.has_hashes = true;
    if (key == "value") leaf.value_class = ClassOf(value);
    ProbeValue read = ReadValue(value, leaf.length, false);
    if (value.kind == kNull && key != "value") return;
    if (key == "dtype") leaf.dtype = read.text;
    if (key == "md5") leaf.md5 = read.text;
    if (key == "data_name") leaf.data_name = read.text;
    if (key == "shape") leaf.shape = read.text;
    if (key == "requires_grad") leaf.grad = read.text;
    leaf.values.emplace(key, std::move(read));
  }

  // Lists as Python prints them; `length` is that of the last one.
  ProbeValue ReadValue(const JsonToken& first, size_t& length, bool inside) {
    if (first.kind == kBeginObject) {
      scan_.Skip(first);
      return {"{}"};
    }
    if (first.kind != kBeginArray) {
      ProbeValue value = ScalarOf(first);
      if (inside && first.kind == kString) value.text = "'" + value.text + "'";
      return value;
    }
    std::string text;
    size_t count = 0, below = 0;
    JsonToken item = scan_.Next();
    for (; item.kind != kEndArray && item.kind != kError; ++count) {
      text += count > 0 ? ", " : "";
      text += ReadValue(item, below, true).text;
      item = scan_.Next();
    }
    length = count;
    return {"[" + text + "]"};
  }

  void Add(ProbeItem item) {
    item.api = api_;
    item.state = state_;
    items_.push_back(std::move(item));
  }

  // The items of a call in the order of the table; a name that says neither
  // forward nor backward has none there.
  void Take() {
    const auto parts = Split(api_, '.');
    if (parts.size() < 2) return;
    const auto says = [&](std::string_view word) {
      return parts.back() == word || parts[parts.size() - 2] == word;
    };
    const bool backward = !gradient_ && !says("forward") && says("backward");
    if (!gradient_ && !backward && !says("forward")) return;
    const std::string counted = backward ? CountBackward(parts) : api_;
    std::ranges::stable_sort(items_, {}, &ProbeItem::state);
    for (ProbeItem& item : items_) {
      item.key = item.name.starts_with(api_)
                     ? counted + item.name.substr(api_.size())
                     : item.name;
      out_.items.push_back(std::move(item));
    }
  }

  // Recomputation leaves gaps in the numbers of backward passes.
  std::string CountBackward(const std::vector<std::string_view>& parts) {
    const size_t tail = parts.size() - 2;
    std::string name;
    for (size_t i = 0; i < tail; ++i) name += std::string(parts[i]) + ".";
    const int count = backward_[name]++;
    const bool behind = parts[tail] == "backward";
    return behind ? fmt::format("{}backward.{}", name, count)
                  : fmt::format("{}{}.backward", name, count);
  }

  JsonScanner& scan_;
  ProbeItems& out_;
  std::string api_;
  std::vector<ProbeItem> items_;  // of the call
  ProbeItem::State state_ = ProbeItem::kInput;
  bool gradient_ = false;
  std::map<std::string, int> backward_;
};

}  // namespace

Result<ProbeItems> ReadProbeItems(const std::string& path) {
  ProbeItems out;
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const JsonFile json, JsonFile::Map(file));
  JsonScanner scan = json.Scan();
  RETURN_IF_ERROR(ItemReader(scan, out).Read());
  RETURN_IF_ERROR(json.Intact());
  return out;
}

}  // namespace assay
