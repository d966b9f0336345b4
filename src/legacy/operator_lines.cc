#include "legacy/operator_lines.h"

#include <fmt/format.h>

#include <algorithm>

namespace assay {
namespace {

TextLines Texts(const Graph& graph, const std::vector<NameId>& names) {
  TextLines texts;
  for (const NameId id : names) texts.emplace_back(graph.Text(id));
  return texts;
}

class Lines {
 public:
  Lines(const Graph& graph, const GraphIndex& index, uint32_t number, bool all)
      : graph_(graph),
        index_(index),
        op_(graph.operators[number]),
        number_(number),
        all_(all) {}

  TextLines Take() {
    Identity();
    if (all_) Attributes(op_.attrs);
    Add("Input:idx | dtype | format | shape | value_range | shape_range| "
        "origin_shape | op_name | peer_idx");
    Inputs();
    Add("Output:");
    Outputs();
    return std::move(lines_);
  }

 private:
  std::string Text(NameId id) const { return std::string(graph_.Text(id)); }
  void Add(std::string line) { lines_.push_back(std::move(line)); }

  void Identity() {
    Add(fmt::format("Op(Type/Name): [{}] {}", Text(op_.type), Text(op_.name)));
    Add(fmt::format("ID:    {}", op_.id));
    Add(fmt::format("KernelName:    {}", Text(op_.kernel)));
    Add(fmt::format("KernelLibName: {}", Text(op_.kernel_library)));
    if (op_.part < graph_.parts.size()) {
      Add(fmt::format("GraphName:     {}", Text(graph_.parts[op_.part].name)));
    }
    if (!op_.passes.empty()) {
      Add("PassName: " + ListText(Texts(graph_, op_.passes)));
    }
    if (op_.originals) {
      Add("OriginalOp: " + ListText(Texts(graph_, *op_.originals)));
    }
  }

  void Attributes(const std::vector<GraphAttr>& attrs) {
    for (const GraphAttr& attr : attrs) {
      Add(fmt::format(" {{'key': '{}', 'value': '{}'}}", Text(attr.key),
                      Text(attr.value)));
    }
  }

  std::string Range(const GraphTensor& tensor, std::string_view key) const {
    const auto value = graph_.Attr(tensor.attrs, key);
    return value && !value->empty() ? std::string(*value) : "[]";
  }

  void Port(int64_t number, const GraphTensor* tensor,
            const std::string& peer) {
    static const GraphTensor kNothing;
    const GraphTensor& t = tensor != nullptr ? *tensor : kNothing;
    Add(fmt::format(" -[{}][{}][{}]{} {} {} {} {}", number, Text(t.dtype),
                    Text(t.layout), DimensionsText(t.shape),
                    Range(t, "value_range"), Range(t, "shape_range"),
                    DimensionsText(t.origin_shape.value_or(Shape())), peer));
  }

  std::string Peer(const GraphEdge& edge) const {
    if (edge.op == kNoName) return "(not connected)";
    return fmt::format("{}:{}", Text(edge.op), edge.index);
  }

  // Order-only edges have no tensor, and -1 for a number.
  void InputsOf(const Operator& op) {
    const size_t tensors = op.input_tensors.size();
    for (size_t i = 0; i < std::max(op.inputs.size(), tensors); ++i) {
      const GraphEdge edge = i < op.inputs.size() ? op.inputs[i] : GraphEdge{};
      const bool data = edge.op == kNoName || edge.index >= 0;
      const bool told = data && i < tensors;
      if (edge.op == kNoName && !told) continue;  // only keeps a place
      Port(data ? static_cast<int64_t>(i) : -1,
           told ? &op.input_tensors[i] : nullptr, Peer(edge));
    }
  }

  // A subgraph's Data is an input of the operator that calls the subgraph.
  void Inputs() {
    InputsOf(op_);
    const auto caller = index_.Caller(op_);
    if (op_.parent_input < 0 || !caller) return;
    const Operator& parent = graph_.operators[*caller];
    const auto at = static_cast<size_t>(op_.parent_input);
    if (at >= parent.inputs.size()) return;
    Port(op_.parent_input,
         at < parent.input_tensors.size() ? &parent.input_tensors[at] : nullptr,
         fmt::format("{} (input {} of {})", Peer(parent.inputs[at]), at,
                     Text(parent.name)));
  }

  std::string Users(int32_t output) const {
    TextLines users;
    for (const GraphUse& use : index_.Uses(number_)) {
      if (use.output != output) continue;
      users.push_back(Text(graph_.operators[use.op].name));
    }
    return ListText(users);
  }

  // What a caller gives back is what its subgraph's last operator takes.
  void Outputs() {
    for (size_t i = 0; i < op_.output_tensors.size(); ++i) {
      Port(static_cast<int64_t>(i), &op_.output_tensors[i],
           Users(static_cast<int32_t>(i)));
    }
    if (!op_.output_tensors.empty()) return;
    for (const NameId subgraph : op_.subgraphs) {
      const auto result = index_.Results(subgraph);
      if (result) InputsOf(graph_.operators[*result]);
    }
  }

  const Graph& graph_;
  const GraphIndex& index_;
  const Operator& op_;
  uint32_t number_;
  bool all_;
  TextLines lines_;
};

}  // namespace

std::string OperatorLine(const Graph& graph, const Operator& op,
                         PromptLabels labels) {
  if (labels == PromptLabels::kSeed) {
    return fmt::format("[{}] {}", graph.Text(op.type), graph.Text(op.name));
  }
  return fmt::format("[{}][{}] {}", graph.Text(op.type),
                     op.passes.empty() ? "" : ListText(Texts(graph, op.passes)),
                     graph.Text(op.name));
}

TextLines OperatorPanelLines(const Graph& graph, const GraphIndex& index,
                             uint32_t number, bool all) {
  return Lines(graph, index, number, all).Take();
}

std::string DimensionsText(const Shape& shape) {
  return fmt::format("[{}]", fmt::join(shape, ", "));
}

}  // namespace assay
