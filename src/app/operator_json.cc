#include "app/graph_json.h"

namespace assay {
namespace {

class Writer {
 public:
  Writer(const Graph& graph, const GraphIndex& index, JsonWriter& json)
      : graph_(graph), index_(index), json_(json) {}

  void Write(uint32_t number) {
    const Operator& op = graph_.operators[number];
    json_.BeginObject();
    Text("name", op.name);
    Text("type", op.type);
    Text("part",
         op.part < graph_.parts.size() ? graph_.parts[op.part].name : kNoName);
    json_.Key("id").Int(op.id);
    json_.Key("stream");
    op.stream < 0 ? json_.Null() : json_.Int(op.stream);
    Text("kernel", op.kernel);
    Text("library", op.kernel_library);
    Texts("passes", op.passes);
    if (op.originals) {
      Texts("originals", *op.originals);
    } else {
      json_.Key("originals").Null();
    }
    Texts("original_types", op.original_types);
    json_.Key("multi_op").Bool(op.multi_op);
    Text("l1", op.l1);
    Texts("subgraphs", op.subgraphs);
    const auto caller = op.part > 0 ? index_.Caller(op) : std::nullopt;
    Text("called_by", caller ? graph_.operators[*caller].name : kNoName);
    json_.Key("parent_input");
    op.parent_input < 0 ? json_.Null() : json_.Int(op.parent_input);
    Inputs(op);
    Outputs(op, number);
    Attributes(op.attrs);
    json_.EndObject();
  }

 private:
  void Text(std::string_view key, NameId id) {
    json_.Key(key).TextOrNull(graph_.Text(id));
  }
  void Texts(std::string_view key, const std::vector<NameId>& ids) {
    json_.Key(key).BeginArray();
    for (const NameId id : ids) json_.Text(graph_.Text(id));
    json_.EndArray();
  }
  void Dims(std::string_view key, const Shape& shape) {
    json_.Key(key).BeginArray();
    for (const int64_t dim : shape) json_.Int(dim);
    json_.EndArray();
  }
  void Attributes(const std::vector<GraphAttr>& attrs) {
    json_.Key("attrs").BeginArray();
    for (const GraphAttr& attr : attrs) {
      json_.BeginObject().Key("key").Text(graph_.Text(attr.key));
      json_.Key("value").Text(graph_.Text(attr.value)).EndObject();
    }
    json_.EndArray();
  }

  // The members of an object that is open.
  void Tensor(const GraphTensor& t) {
    Text("tensor", t.name);
    Text("dtype", t.dtype);
    Text("layout", t.layout);
    Dims("shape", t.shape);
    Text("origin", t.origin);
    json_.Key("origin_index");
    t.origin_index < 0 ? json_.Null() : json_.Int(t.origin_index);
    Text("origin_layout", t.origin_layout);
    if (t.origin_shape) {
      Dims("origin_shape", *t.origin_shape);
    } else {
      json_.Key("origin_shape").Null();
    }
    Text("fx", t.fx);
    Attributes(t.attrs);
  }

  void Inputs(const Operator& op) {
    json_.Key("inputs").BeginArray();
    for (size_t i = 0; i < std::max(op.inputs.size(), op.input_tensors.size());
         ++i) {
      const GraphEdge edge = i < op.inputs.size() ? op.inputs[i] : GraphEdge{};
      const bool order = edge.op != kNoName && edge.index < 0;
      json_.BeginObject().Key("order_only").Bool(order);
      Text("producer", edge.op);
      json_.Key("output");
      edge.IsData() ? json_.Int(edge.index) : json_.Null();
      json_.Key("found").Bool(index_.Find(op.part, edge.op).has_value());
      if (i < op.input_tensors.size()) Tensor(op.input_tensors[i]);
      json_.EndObject();
    }
    json_.EndArray();
  }

  void Outputs(const Operator& op, uint32_t number) {
    json_.Key("outputs").BeginArray();
    for (const GraphTensor& tensor : op.output_tensors) {
      json_.BeginObject();
      Tensor(tensor);
      json_.EndObject();
    }
    json_.EndArray().Key("consumers").BeginArray();
    for (const GraphUse& use : index_.Uses(number)) {
      json_.BeginObject().Key("output");
      use.output < 0 ? json_.Null() : json_.Int(use.output);
      Text("name", graph_.operators[use.op].name);
      json_.Key("input").Int(use.input).EndObject();
    }
    json_.EndArray();
  }

  const Graph& graph_;
  const GraphIndex& index_;
  JsonWriter& json_;
};

}  // namespace

void InfoJson(const Graph& graph, const GraphIndex& index,
              const std::vector<uint32_t>& operators, JsonWriter& json) {
  Writer writer(graph, index, json);
  json.Key("operators").BeginArray();
  for (const uint32_t i : operators) writer.Write(i);
  json.EndArray();
}

}  // namespace assay
