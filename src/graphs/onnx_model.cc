#include "graphs/onnx_model.h"

#include <fmt/format.h>

#include "base/parse_number.h"
#include "graphs/each_field.h"

namespace assay::onnx {
namespace {

constexpr uint32_t kDeepest = 64;  // graphs inside graphs
constexpr size_t kLongestText = 64 << 10;

constexpr std::string_view kTypes[] = {
    "UNDEFINED",      "FLOAT",      "UINT8",
    "INT8",           "UINT16",     "INT16",
    "INT32",          "INT64",      "STRING",
    "BOOL",           "FLOAT16",    "DOUBLE",
    "UINT32",         "UINT64",     "COMPLEX64",
    "COMPLEX128",     "BFLOAT16",   "FLOAT8E4M3FN",
    "FLOAT8E4M3FNUZ", "FLOAT8E5M2", "FLOAT8E5M2FNUZ",
    "UINT4",          "INT4",       "FLOAT4E2M1",
    "FLOAT8E8M0",     "UINT2",      "INT2"};

class ModelReader {
 public:
  explicit ModelReader(FieldReader& in) : in_(in) {}

  Result<Model> Read() {
    model_.parts.emplace_back();
    bool found = false;
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "ir_version") model_.ir_version = f.Integer().value_or(0);
      if (f.kind == FieldKind::kBegin && f.name == "opset_import") {
        return ReadOpset();
      }
      if (f.kind == FieldKind::kBegin && f.name == "functions") {
        return ReadFunction();
      }
      if (f.kind != FieldKind::kBegin || f.name != "graph") return Skip(f);
      if (found) return in_.Wrong(f, "a second graph; a model has one");
      found = true;
      return ReadGraph(0, f, &model_.graph);
    }));
    if (found) return std::move(model_);
    return Corrupt("no graph in it")
        .Hint("a model of ONNX is wanted; is this a tensor?");
  }

 private:
  Status Skip(const Field& field) {
    in_.Skip(field);
    return Done{};
  }
  // What is longer is a weight or a program, and no name.
  NameId Text(const Field& field) {
    const std::string_view text = field.View(scratch_);
    if (text.size() <= kLongestText) return model_.names.Intern(text);
    return model_.names.Intern(fmt::format("({} bytes)", text.size()));
  }
  void SetType(const Field& field, Value& value) {
    const auto number = field.Integer();
    const bool known = number && *number >= 0 &&
                       static_cast<uint64_t>(*number) < std::size(kTypes);
    if (known) value.type = static_cast<uint32_t>(*number);
    value.dtype = known ? model_.names.Intern(kTypes[*number]) : Text(field);
  }
  // Parts move when one is added: they are held by number.
  Part& At(uint32_t part) { return model_.parts[part]; }

  Status ReadOpset() {
    std::pair<NameId, int64_t> opset = {kNoName, 0};
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "domain" && f.IsScalar()) opset.first = Text(f);
      if (f.name == "version") opset.second = f.Integer().value_or(0);
      return Skip(f);
    }));
    model_.opsets.push_back(opset);
    return Done{};
  }

  Status ReadGraph(uint32_t part, const Field& begin, Span* span = nullptr) {
    if (++depth_ > kDeepest) {
      return in_.Wrong(begin,
                       fmt::format("graphs inside graphs, {} deep", kDeepest));
    }
    uint64_t end = 0;
    Status status = EachField(
        in_, [&](const Field& f) { return ReadGraphField(part, f); }, &end);
    if (span != nullptr) *span = {begin.at, end};
    --depth_;
    return status;
  }

  Status ReadGraphField(uint32_t part, const Field& f) {
    if (f.name == "name" && f.IsScalar()) {
      At(part).name = Text(f);
      return Done{};
    }
    if (f.kind != FieldKind::kBegin) return Skip(f);
    if (f.name == "node") return ReadNode(part, f);
    if (f.name == "input") return ReadValue(At(part).inputs, f);
    if (f.name == "output") return ReadValue(At(part).outputs, f);
    if (f.name == "value_info") return ReadValue(At(part).values, f);
    if (f.name == "initializer") return ReadInitializer(part, f);
    if (f.name == "sparse_initializer") return ReadSparse(part, f);
    return Skip(f);
  }

  Status ReadFunction() {
    const auto part = static_cast<uint32_t>(model_.parts.size());
    model_.parts.emplace_back();
    return EachField(in_, [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin) return ReadGraphField(part, f);
      if (!f.IsScalar()) return Skip(f);
      if (f.name == "name") At(part).name = Text(f);
      if (f.name == "input") At(part).inputs.push_back({.name = Text(f)});
      if (f.name == "output") At(part).outputs.push_back({.name = Text(f)});
      return Done{};
    });
  }

  Status ReadNode(uint32_t part, const Field& begin) {
    Node node{.span = {.begin = begin.at}};
    const auto use = [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "attribute") {
        return ReadAttribute(part, node);
      }
      if (!f.IsScalar()) return Skip(f);
      if (f.name == "name") node.name = Text(f);
      if (f.name == "op_type") node.type = Text(f);
      if (f.name == "domain") node.domain = Text(f);
      if (f.name == "input") node.inputs.push_back(Text(f));
      if (f.name == "output") node.outputs.push_back(Text(f));
      return Done{};
    };
    RETURN_IF_ERROR(EachField(in_, use, &node.span.end));
    if (node.type == kNoName) return in_.Wrong(begin, "a node has no op_type");
    At(part).nodes.push_back(std::move(node));
    return Done{};
  }

  Status ReadAttribute(uint32_t part, Node& node) {
    Attribute attribute;
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "g" || f.name == "graphs") {
        return ReadSubgraph(part, f, node, attribute);
      }
      if (f.kind == FieldKind::kBegin &&
          (f.name == "t" || f.name == "tensors")) {
        return ReadTensorItem(attribute);
      }
      if (!f.IsScalar()) return Skip(f);
      if (f.name == "name") attribute.name = Text(f);
      const bool many = f.name.size() > 1;  // "ints" beside "i"
      const bool item = f.name == "i" || f.name == "f" || f.name == "s" ||
                        f.name == "ints" || f.name == "floats" ||
                        f.name == "strings";
      if (!item) return Done{};
      attribute.items.push_back(Text(f));
      attribute.list = attribute.list || many;
      attribute.integers = f.name == "i" || f.name == "ints";
      attribute.strings = f.name == "s" || f.name == "strings";
      return Done{};
    }));
    node.attributes.push_back(std::move(attribute));
    return Done{};
  }

  Status ReadSubgraph(uint32_t part, const Field& f, Node& node,
                      Attribute& attribute) {
    if (f.kind != FieldKind::kBegin) return Skip(f);
    const auto inner = static_cast<uint32_t>(model_.parts.size());
    model_.parts.emplace_back();
    At(inner).parent = static_cast<int32_t>(part);
    RETURN_IF_ERROR(ReadGraph(inner, f));
    node.subgraphs.push_back(inner);
    attribute.items.push_back(At(inner).name);
    attribute.list = attribute.list || f.name == "graphs";
    return Done{};
  }

  // A tensor among attributes, as "FLOAT[2,3]".
  Status ReadTensorItem(Attribute& attribute) {
    Value value;
    RETURN_IF_ERROR(ReadTensor(value));
    attribute.type = value.type;
    attribute.items.push_back(model_.names.Intern(
        fmt::format("{}{}", model_.names[value.dtype], ToText(value.shape))));
    attribute.tensor = std::make_shared<const Value>(std::move(value));
    return Done{};
  }

  Status ReadTensor(Value& value) {
    ExternalData external;
    bool elsewhere = false;
    const auto use = [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "external_data") {
        return ReadExternal(external);
      }
      if (!f.IsScalar()) return Skip(f);
      if (f.name == "name") value.name = Text(f);
      if (f.name == "data_type") SetType(f, value);
      if (f.name == "dims") value.shape.push_back(f.Integer().value_or(-1));
      if (f.name == "data_location") elsewhere = f.Integer() == 1;
      const bool values = f.name.ends_with("_data") &&
                          f.kind == FieldKind::kString &&
                          f.form == FieldForm::kPlain;
      if (values) value.stored = {f.name, f.text};
      return Done{};
    };
    RETURN_IF_ERROR(EachField(in_, use, &value.span.end));
    value.has_shape = true;
    if (elsewhere && external.location == kNoName) {
      external.wrong = "it has no location";
    }
    if (elsewhere || external.location != kNoName) {
      value.external = std::make_shared<ExternalData>(external);
    }
    return Done{};
  }

  // One entry of it: location, offset, length, checksum.
  Status ReadExternal(ExternalData& external) {
    NameId key = kNoName;
    std::string value;
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "key" && f.IsScalar()) key = Text(f);
      if (f.name == "value" && f.IsScalar()) value = f.Text();
      return Skip(f);
    }));
    const std::string_view name = model_.names[key];
    const auto number = ParseNumber<uint64_t>(value);
    if (name == "location") external.location = model_.names.Intern(value);
    if (name == "offset") external.offset = number;
    if (name == "length") external.length = number;
    if (!number && (name == "offset" || name == "length")) {
      external.wrong = fmt::format("its {} '{}' is no number", name, value);
    }
    return Done{};
  }

  Status ReadInitializer(uint32_t part, const Field& begin) {
    Value value{.span = {.begin = begin.at}};
    RETURN_IF_ERROR(ReadTensor(value));
    At(part).initializers.push_back(std::move(value));
    return Done{};
  }

  Status ReadSparse(uint32_t part, const Field& begin) {
    Value value;
    Span span{.begin = begin.at};
    Shape dims;
    const auto use = [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "values") {
        return ReadTensor(value);
      }
      if (f.name == "dims") dims.push_back(f.Integer().value_or(-1));
      return Skip(f);
    };
    RETURN_IF_ERROR(EachField(in_, use, &span.end));
    value.shape = std::move(dims);
    value.span = span;
    At(part).initializers.push_back(std::move(value));
    return Done{};
  }

  Status ReadValue(std::vector<Value>& list, const Field& begin) {
    Value value{.span = {.begin = begin.at}};
    const auto use = [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "type") {
        return ReadType(value);
      }
      if (f.name == "name" && f.IsScalar()) value.name = Text(f);
      return Skip(f);
    };
    RETURN_IF_ERROR(EachField(in_, use, &value.span.end));
    list.push_back(std::move(value));
    return Done{};
  }

  // Through type, tensor_type, shape and dim: their fields have names of
  // their own.
  Status ReadType(Value& value) {
    return EachField(in_, [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "tensor_type") {
        return ReadType(value);
      }
      if (f.kind == FieldKind::kBegin && f.name == "shape") {
        value.has_shape = true;
        return ReadType(value);
      }
      if (f.kind == FieldKind::kBegin && f.name == "dim") return ReadDim(value);
      if (f.name == "elem_type" && f.IsScalar()) SetType(f, value);
      return Skip(f);
    });
  }

  Status ReadDim(Value& value) {
    int64_t size = -1;
    NameId name = kNoName;
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "dim_value") size = f.Integer().value_or(-1);
      if (f.name == "dim_param" && f.IsScalar()) name = Text(f);
      return Skip(f);
    }));
    value.shape.push_back(size);
    if (name == kNoName && value.dims.empty()) return Done{};
    value.dims.resize(value.shape.size(), kNoName);
    value.dims.back() = name;
    return Done{};
  }

  FieldReader& in_;
  Model model_;
  uint32_t depth_ = 0;
  std::string scratch_;
};

}  // namespace

Result<Model> ReadModel(FieldReader& in) { return ModelReader(in).Read(); }

}  // namespace assay::onnx
