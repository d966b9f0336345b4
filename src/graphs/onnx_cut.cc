#include "graphs/onnx_cut.h"

#include <algorithm>
#include <unordered_set>

#include "base/text.h"
#include "graphs/onnx_order.h"
#include "graphs/onnx_types.h"

namespace assay::onnx {
namespace {

using NameSet = std::unordered_set<NameId>;

constexpr uint32_t kGraphField = 7, kInputField = 11, kOutputField = 12;
constexpr uint32_t kValueName = 1;
constexpr uint64_t kBytesType = 2;

void AppendVarint(uint64_t value, std::string& out) {
  for (; value >= 0x80; value >>= 7) {
    out += static_cast<char>(value | 0x80);
  }
  out += static_cast<char>(value);
}

void AppendBytes(uint32_t field, std::string_view bytes, std::string& out) {
  AppendVarint(field << 3 | kBytesType, out);
  AppendVarint(bytes.size(), out);
  out += bytes;
}

void AppendNumber(uint32_t field, uint64_t value, std::string& out) {
  AppendVarint(field << 3, out);
  AppendVarint(value, out);
}

// The message inside a field, without its tag and length.
std::string_view Payload(std::string_view field) {
  size_t at = 0;
  const auto pass = [&] {
    while (at < field.size() && (field[at] & 0x80) != 0) ++at;
    ++at;
  };
  pass();
  pass();
  return field.substr(std::min(at, field.size()));
}

std::string_view Of(const OnnxFile& file, Span span) {
  return file.bytes().substr(span.begin, span.end - span.begin);
}

// A ValueInfoProto: that of the file, or one of a name alone.
void AppendValue(const OnnxFile& file, uint32_t field, NameId name,
                 std::string& out) {
  const Value* known = file.Known(name);
  if (known != nullptr) {
    return AppendBytes(field, Payload(Of(file, known->span)), out);
  }
  std::string value;
  AppendBytes(kValueName, file.Text(name), value);
  AppendBytes(field, value, out);
}

struct Type {
  uint32_t number = 0;           // of the elements
  const Shape* shape = nullptr;  // null: any
};

// An input of the graph of this type.
void AppendInput(const OnnxFile& file, NameId name, const Type& type,
                 std::string& out) {
  std::string tensor, wrapped, value;
  AppendNumber(1, type.number, tensor);  // elem_type
  if (type.shape != nullptr) {
    std::string dims;
    for (const int64_t size : *type.shape) {
      std::string dim;
      AppendNumber(1, static_cast<uint64_t>(size), dim);  // dim_value
      AppendBytes(1, dim, dims);
    }
    AppendBytes(2, dims, tensor);  // shape
  }
  AppendBytes(1, tensor, wrapped);  // tensor_type
  AppendBytes(kValueName, file.Text(name), value);
  AppendBytes(2, wrapped, value);
  AppendBytes(kInputField, value, out);
}

// The model with parts of its main graph left out and others added at its end.
std::string Rewrite(const OnnxFile& file, std::vector<Span> drop,
                    const std::string& add) {
  std::ranges::sort(drop, {}, &Span::begin);
  const Span whole = file.model().graph;
  const std::string_view old = Payload(Of(file, whole));
  std::string graph;
  graph.reserve(old.size() + add.size());
  uint64_t at = whole.end - old.size();
  for (const Span& span : drop) {
    graph += Of(file, {at, span.begin});
    at = span.end;
  }
  graph += Of(file, {at, whole.end});
  graph += add;
  std::string out(Of(file, {0, whole.begin}));
  out.reserve(file.bytes().size() + add.size() + 16);
  AppendBytes(kGraphField, graph, out);
  return out += file.bytes().substr(whole.end);
}

NameSet Names(const std::vector<Value>& values) {
  NameSet names;
  for (const Value& value : values) names.insert(value.name);
  return names;
}

// A model has each input and output once, whatever was typed.
std::vector<NameId> Once(const std::vector<NameId>& names) {
  std::vector<NameId> once;
  NameSet seen;
  for (const NameId name : names) {
    if (seen.insert(name).second) once.push_back(name);
  }
  return once;
}

std::vector<NameId> OutputsOf(const OnnxFile& file, const Cut& cut) {
  if (!cut.to.empty()) return Once(cut.to);
  std::vector<NameId> names;
  for (const Value& value : file.graph().outputs) names.push_back(value.name);
  return names;
}

struct Kept {
  std::unordered_set<uint32_t> nodes;
  NameSet needed;  // by them, and the outputs
};

uint32_t NumberOf(const OnnxFile& file, const Node& node) {
  return static_cast<uint32_t>(&node - file.graph().nodes.data());
}

Result<Kept> Keep(const OnnxFile& file, const Cut& cut) {
  Kept kept;
  const NameSet from(cut.from.begin(), cut.from.end());
  std::vector<NameId> open = OutputsOf(file, cut);
  while (!open.empty()) {
    const NameId name = open.back();
    open.pop_back();
    if (!kept.needed.insert(name).second || from.contains(name)) continue;
    const Node* maker = file.MakerOf(name);
    if (maker == nullptr) continue;  // an input or an initializer
    if (!kept.nodes.insert(NumberOf(file, *maker)).second) continue;
    for (const NameId need : NeedsOf(file.model(), *maker)) {
      open.push_back(need);
    }
  }
  for (const NameId name : cut.from) {
    if (kept.needed.contains(name)) continue;
    return Usage("'{}' does not lead to what is wanted", file.Text(name))
        .At(file.path())
        .Hint("leave it out, or name other tensors behind it");
  }
  return kept;
}

// Tensors that become inputs. One that the file does not tell of has the type
// that follows from the operators, and any shape.
Status AppendInputs(const OnnxFile& file, const std::vector<NameId>& names,
                    std::string& out) {
  std::optional<std::unordered_map<NameId, uint32_t>> types;
  for (const NameId name : names) {
    if (file.Known(name) != nullptr) {
      AppendValue(file, kInputField, name, out);
      continue;
    }
    if (!types) types = ElementTypes(file);
    const auto type = types->find(name);
    if (type == types->end()) {
      return Unsupported("the model does not tell the type of '{}'",
                         file.Text(name))
          .At(file.path())
          .Hint(
              "an input needs one: save the model with its inferred types "
              "(onnx.shape_inference.infer_shapes)");
    }
    AppendInput(file, name, {.number = type->second}, out);
  }
  return Done{};
}

}  // namespace

std::string MarkOutputs(const OnnxFile& file, std::span<const NameId> names,
                        std::span<const FixedInput> fixed) {
  NameSet there = Names(file.graph().outputs);
  std::vector<Span> drop;
  std::string add;
  for (const FixedInput& input : fixed) {
    const auto& inputs = file.graph().inputs;
    const auto old = std::ranges::find(inputs, input.name, &Value::name);
    if (old == inputs.end() || old->type == 0) continue;
    drop.push_back(old->span);
    AppendInput(file, input.name, {old->type, &input.shape}, add);
  }
  for (const NameId name : names) {
    if (there.insert(name).second) AppendValue(file, kOutputField, name, add);
  }
  return Rewrite(file, std::move(drop), add);
}

Result<std::string> ExtractModel(const OnnxFile& file, const Cut& cut) {
  ASSIGN_OR_RETURN(const Kept kept, Keep(file, cut));
  const Part& graph = file.graph();
  const NameSet from(cut.from.begin(), cut.from.end());
  std::vector<Span> drop;
  for (uint32_t i = 0; i < graph.nodes.size(); ++i) {
    if (!kept.nodes.contains(i)) drop.push_back(graph.nodes[i].span);
  }
  const auto unneeded = [&](const Value& value) {
    return !kept.needed.contains(value.name) || from.contains(value.name);
  };
  for (const auto* list : {&graph.inputs, &graph.initializers}) {
    for (const Value& value : *list) {
      if (unneeded(value)) drop.push_back(value.span);
    }
  }
  for (const Value& value : graph.outputs) drop.push_back(value.span);
  const std::vector<NameId> to = OutputsOf(file, cut);
  const NameSet ends(to.begin(), to.end());
  for (const Value& value : graph.values) {
    const Node* maker = file.MakerOf(value.name);
    const bool inside = maker != nullptr &&
                        kept.nodes.contains(NumberOf(file, *maker)) &&
                        !ends.contains(value.name);
    if (!inside) drop.push_back(value.span);
  }
  std::string add;
  RETURN_IF_ERROR(AppendInputs(file, Once(cut.from), add));
  for (const NameId name : to) AppendValue(file, kOutputField, name, add);
  return Rewrite(file, std::move(drop), add);
}

Result<std::vector<uint32_t>> NodesOf(const OnnxFile& file, const Cut& cut) {
  ASSIGN_OR_RETURN(const Kept kept, Keep(file, cut));
  std::vector<uint32_t> nodes;
  for (const uint32_t node : file.order()) {
    if (kept.nodes.contains(node)) nodes.push_back(node);
  }
  return nodes;
}

Result<NameId> FindTensor(const OnnxFile& file, std::string_view name) {
  const NameId id = file.model().names.Find(name);
  const Part& graph = file.graph();
  const auto in = [&](const std::vector<Value>& values) {
    return std::ranges::find(values, id, &Value::name) != values.end();
  };
  if (id != kNoName && (file.MakerOf(id) != nullptr || in(graph.inputs) ||
                        in(graph.initializers))) {
    return id;
  }
  std::vector<std::string_view> names;
  for (const Tap& tap : file.taps()) names.push_back(file.Text(tap.name));
  return NotFound("no tensor is called '{}'", name)
      .At(file.path())
      .Hint(DidYouMean(name, names, "'assay graph text' shows all"));
}

}  // namespace assay::onnx
