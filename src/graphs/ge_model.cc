#include "graphs/ge_model.h"

#include <algorithm>

#include "base/name_key.h"
#include "graphs/ge_known.h"
#include "graphs/ge_take.h"

namespace assay {
namespace {

class Builder : GeTaker {
 public:
  Builder(FieldReader& in, const GeModelOptions& options, Graph& graph)
      : GeTaker(in, graph.names),
        options_(options),
        graph_(graph),
        attrs_(in, names_, options.c_escapes) {}

  Status Read();

 private:
  using Attrs = std::vector<GraphAttr>;

  bool ModelField(const Field& field);
  bool Part();
  bool PartField(const Field& field, uint32_t part);
  bool Op(const Field& begin, uint32_t part);
  bool OpField(const Field& field, Operator& op);
  bool Tensor(const Field& field, std::vector<GraphTensor>& out);
  bool TensorField(const Field& field, GeTensor& t);
  // Into attr_ and the list.
  bool Attr(Attrs& list, bool shortened);
  uint32_t BarePart();
  void DropIfKnown(uint32_t part);

  const GeModelOptions& options_;
  Graph& graph_;
  GeAttrReader attrs_;
  GeAttr attr_;
  // Grown here and copied: each list of a graph takes what it needs.
  Attrs op_attrs_, tensor_attrs_;
  Graph::Part top_;  // what stands outside of graphs
  std::optional<uint32_t> bare_;
  bool has_graph_ = false;
};

Status Builder::Read() {
  if (!Each([&](const Field& field) { return ModelField(field); })) {
    return *error_;
  }
  if (!has_graph_ && !options_.only_new) {
    return in_.Wrong({.kind = FieldKind::kDone}, "there is no graph in it");
  }
  if (bare_) {
    graph_.parts[*bare_] = top_;
    top_.attrs.clear();
    DropIfKnown(*bare_);
  }
  if (graph_.name == kNoName) {
    graph_.name = top_.name;
    graph_.attrs = std::move(top_.attrs);
  }
  return Done{};
}

// ModelDef and GraphDef share the names of what they share.
bool Builder::ModelField(const Field& field) {
  switch (NameKey(field.name)) {
    case NameKey("graph"):
      has_graph_ = true;
      return Message(field, [&] { return Part(); });
    case NameKey("name"):
      return Text(field, top_.name);
    case NameKey("attr"):
      return Message(field, [&] { return Attr(top_.attrs, false); });
    case NameKey("output"):
      return Edge(field, top_.outputs);
    case NameKey("op"):
      return Message(field, [&] { return Op(field, BarePart()); });
    default:
      in_.Skip(field);
      return true;
  }
}

uint32_t Builder::BarePart() {
  has_graph_ = true;
  if (!bare_) {
    bare_ = static_cast<uint32_t>(graph_.parts.size());
    graph_.parts.emplace_back();
  }
  return *bare_;
}

bool Builder::Part() {
  const auto part = static_cast<uint32_t>(graph_.parts.size());
  graph_.parts.emplace_back();
  if (!Each([&](const Field& field) { return PartField(field, part); })) {
    return false;
  }
  DropIfKnown(part);
  return true;
}

// Only the last part can go.
void Builder::DropIfKnown(uint32_t part) {
  if (!options_.only_new || part + 1 != graph_.parts.size()) return;
  const NameId name = graph_.parts[part].name;
  const bool known =
      std::any_of(graph_.parts.begin(), graph_.parts.begin() + part,
                  [&](const Graph::Part& p) { return p.name == name; });
  if (!known) return;
  graph_.parts.pop_back();
  std::erase_if(graph_.operators,
                [&](const Operator& op) { return op.part == part; });
}

bool Builder::PartField(const Field& field, uint32_t part) {
  switch (NameKey(field.name)) {
    case NameKey("name"):
      return Text(field, graph_.parts[part].name);
    case NameKey("attr"):
      return Message(field,
                     [&] { return Attr(graph_.parts[part].attrs, false); });
    case NameKey("output"):
      return Edge(field, graph_.parts[part].outputs);
    case NameKey("op"):
      return Message(field, [&] { return Op(field, part); });
    default:
      in_.Skip(field);
      return true;
  }
}

bool Builder::Op(const Field& begin, uint32_t part) {
  Operator& op = graph_.operators.emplace_back();
  op.part = part;
  op.at = begin.at;
  op_attrs_.clear();
  if (!Each([&](const Field& field) { return OpField(field, op); })) {
    return false;
  }
  op.attrs = op_attrs_;
  FinishGeOperator(graph_.names, op);
  return true;
}

bool Builder::OpField(const Field& field, Operator& op) {
  switch (NameKey(field.name)) {
    case NameKey("name"):
      return Text(field, op.name);
    case NameKey("type"):
      return Text(field, op.type);
    case NameKey("id"):
      return Number(field, op.id);
    case NameKey("stream_id"):
      return Number(field, op.stream);
    case NameKey("input"):
      return Edge(field, op.inputs);
    case NameKey("input_desc"):
      return Tensor(field, op.input_tensors);
    case NameKey("output_desc"):
      return Tensor(field, op.output_tensors);
    case NameKey("subgraph_name"):
      return TextList(field, op.subgraphs);
    case NameKey("attr"):
      return Message(field, [&] {
        if (!Attr(op_attrs_, true)) return false;
        SetGeOperator(attr_, op);
        return true;
      });
    default:
      in_.Skip(field);
      return true;
  }
}

// One without anything keeps its place.
bool Builder::Tensor(const Field& field, std::vector<GraphTensor>& out) {
  if (field.kind == FieldKind::kNull) {
    if (field.text != "[]") out.emplace_back();
    return true;
  }
  return Message(field, [&] {
    GeTensor t = {.tensor = out.emplace_back()};
    tensor_attrs_.clear();
    if (!Each([&](const Field& f) { return TensorField(f, t); })) return false;
    t.tensor.attrs = tensor_attrs_;
    if (t.tensor.origin_layout == kNoName) {
      t.tensor.origin_layout = t.second_layout;
    }
    return true;
  });
}

bool Builder::TensorField(const Field& field, GeTensor& t) {
  GraphTensor& tensor = t.tensor;
  switch (NameKey(field.name)) {
    case NameKey("name"):
      return Text(field, tensor.name);
    case NameKey("dtype"):
      return DType(field, tensor.dtype);
    case NameKey("layout"):
      return Text(field, tensor.layout);
    case NameKey("shape"):
      return Sizes(field, tensor.shape);
    case NameKey("attr"):
      tensor.has_attrs = tensor.has_attrs || field.text != "null";
      return Message(field, [&] {
        if (!Attr(tensor_attrs_, true)) return false;
        SetGeTensor(attr_, t);
        return true;
      });
    default:
      in_.Skip(field);
      return true;
  }
}

bool Builder::Attr(Attrs& list, bool shortened) {
  if (!attrs_.Read(attr_)) {
    error_ = attrs_.error();
    return false;
  }
  if (shortened && options_.expander != nullptr) {
    options_.expander->Expand(attr_, names_);
  }
  attr_.value = names_.Intern(attr_.text);
  list.push_back({names_.Intern(attr_.key), attr_.value});
  return true;
}

}  // namespace

Status AddGeModel(FieldReader& in, const GeModelOptions& options,
                  Graph& graph) {
  return Builder(in, options, graph).Read();
}

}  // namespace assay
