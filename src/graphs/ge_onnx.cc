// GE graph as the text of an ONNX model (ge_onnx_*.pbtxt). What GE knows of an
// operator stands in attributes, one for each field:
//   node { name: "conv1" op_type: "ge:Conv2D" input: "x:0"
//     attribute { name: "input_desc_dtype:0" s: "DT_FLOAT16" } }
#include <charconv>
#include <unordered_map>

#include "base/text.h"
#include "graphs/ge_known.h"
#include "graphs/ge_model.h"
#include "graphs/graph_kind.h"
#include "graphs/onnx_graph.h"
#include "graphs/whole_file.h"

namespace assay {
namespace {

constexpr std::string_view kTypePrefix = "ge:";

// "input_desc_attr_origin_shape:0": port, field and index.
struct Flat {
  bool output = false;
  std::string_view field;  // "attr_origin_shape"
  size_t index = 0;
};

std::optional<Flat> ParseFlat(std::string_view name) {
  constexpr std::string_view kInput = "input_desc_", kOutput = "output_desc_";
  Flat flat;
  flat.output = name.starts_with(kOutput);
  if (!flat.output && !name.starts_with(kInput)) return std::nullopt;
  name.remove_prefix(flat.output ? kOutput.size() : kInput.size());
  const size_t colon = name.rfind(':');
  if (colon == name.npos) return std::nullopt;
  const char* const end = name.data() + name.size();
  const auto [stop, error] =
      std::from_chars(name.data() + colon + 1, end, flat.index);
  if (error != std::errc() || stop != end) {
    return std::nullopt;
  }
  flat.field = name.substr(0, colon);
  return flat;
}

class Builder {
 public:
  explicit Builder(onnx::Model model) : model_(std::move(model)) {
    graph_.names = std::move(model_.names);
    graph_.is_text = true;
  }

  Graph Build() {
    AddPart(0);
    graph_.name = graph_.parts[0].name;
    // Subgraphs stand in nodes of their own; each is a part like the first.
    for (uint32_t i = 1; i < model_.parts.size(); ++i) AddPart(i);
    return std::move(graph_);
  }

 private:
  void AddPart(uint32_t number) {
    const onnx::Part& part = model_.parts[number];
    graph_.parts.push_back({.name = part.name});
    for (const onnx::Value& value : part.outputs) {
      graph_.parts.back().outputs.push_back(
          ParseGeEdge(graph_.Text(value.name), cache_));
    }
    for (const onnx::Node& node : part.nodes) {
      if (graph_.Text(node.type) != "subgraph") AddNode(number, node);
    }
  }

  void AddNode(uint32_t part, const onnx::Node& node) {
    Operator op{.name = node.name, .part = part, .at = node.span.begin};
    std::string_view type = graph_.Text(node.type);
    if (type.starts_with(kTypePrefix)) type.remove_prefix(kTypePrefix.size());
    op.type = graph_.names.Intern(type);
    for (const NameId input : node.inputs) {
      op.inputs.push_back(ParseGeEdge(graph_.Text(input), cache_));
    }
    for (const onnx::Attribute& attribute : node.attributes) {
      Take(attribute, node.attributes.size(), op);
    }
    FinishGeOperator(graph_.names, op);
    graph_.operators.push_back(std::move(op));
  }

  // Fills attr_; its views are valid until the next one.
  void Word(const onnx::Attribute& attribute, std::string_view key) {
    attr_.Clear();
    attr_.key = key;
    attr_.text = graph_.Text(value_);
    attr_.value = value_;
    attr_.kind = attribute.list ? GeAttr::Kind::kList : GeAttr::Kind::kText;
    for (const NameId item : attribute.items) {
      if (!attribute.integers) {
        attr_.strings.push_back(item);
        continue;
      }
      attr_.integers.push_back(IntegerOf(item));
    }
    if (attribute.list || !attribute.integers) return;
    attr_.kind = GeAttr::Kind::kInteger;
    attr_.integer = attr_.integers.empty() ? 0 : attr_.integers[0];
  }

  int64_t IntegerOf(NameId id) const {
    int64_t value = 0;
    const std::string_view text = graph_.Text(id);
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
  }

  // A port has an attribute at least: no index reaches `ports`.
  void Take(const onnx::Attribute& attribute, size_t ports, Operator& op) {
    value_ = onnx::AttributeText(attribute, graph_.names);
    const std::string_view name = graph_.Text(attribute.name);
    const auto flat = ParseFlat(name);
    if (flat && flat->index < ports) {
      TakeTensor(attribute, *flat, op);
      return;
    }
    Word(attribute, name);
    if (name == "id") op.id = attr_.integer;
    if (name == "stream_id") op.stream = attr_.integer;
    if (name == "subgraph_name") op.subgraphs = Names(attribute);
    SetGeOperator(attr_, op);
    op.attrs.push_back({attribute.name, value_});
  }

  static std::vector<NameId> Names(const onnx::Attribute& attribute) {
    std::vector<NameId> names;
    for (const NameId id : attribute.items) {
      if (id != kNoName) names.push_back(id);
    }
    return names;
  }

  void TakeTensor(const onnx::Attribute& attribute, const Flat& flat,
                  Operator& op) {
    auto& list = flat.output ? op.output_tensors : op.input_tensors;
    if (list.size() <= flat.index) list.resize(flat.index + 1);
    GraphTensor& tensor = list[flat.index];
    Word(attribute, flat.field);
    if (flat.field == "dtype") tensor.dtype = value_;
    if (flat.field == "layout") tensor.layout = value_;
    if (flat.field == "shape") tensor.shape = attr_.integers;
    if (flat.field == "origin_shape") tensor.origin_shape = attr_.integers;
    if (flat.field == "origin_layout" && tensor.origin_layout == kNoName) {
      tensor.origin_layout = value_;
    }
    constexpr std::string_view kAttr = "attr_";
    if (!flat.field.starts_with(kAttr)) return;
    const std::string key(flat.field.substr(kAttr.size()));
    attr_.key = key;
    tensor.has_attrs = true;
    tensor.attrs.push_back({graph_.names.Intern(key), value_});
    SetOrigin(tensor);
  }

  // Attributes are sorted by name: the first choice comes first.
  void SetOrigin(GraphTensor& tensor) {
    GeTensor target{.tensor = tensor};
    SetGeTensor(attr_, target);
    if (tensor.origin_layout == kNoName) {
      tensor.origin_layout = target.second_layout;
    }
  }

  onnx::Model model_;
  Graph graph_;
  NameCache cache_{graph_.names};
  GeAttr attr_;
  NameId value_ = kNoName;
};

bool Sniff(std::string_view, std::string_view head) {
  if (head.find("\"ge:") == head.npos) return false;
  return head.find("op_type") != head.npos;
}

Result<Graph> Read(InputFile& file) {
  ASSIGN_OR_RETURN(const WholeFile whole, WholeFile::Map(file));
  const auto in = ReadTextFields(whole.bytes(), file.path());
  Result<onnx::Model> model = onnx::ReadModel(*in);
  RETURN_IF_ERROR(whole.Intact(file));
  if (model) return Builder(*std::move(model)).Build();
  Error error = std::move(model).error();
  return error.file.empty() ? std::move(error).At(file.path(), 0) : error;
}

}  // namespace

extern constinit const GraphKind kGeOnnx = {
    .name = "ge-onnx",
    .summary = "GE graph as text of ONNX (ge_onnx_*.pbtxt)",
    .sniff = Sniff,
    .read = Read,
};

}  // namespace assay
