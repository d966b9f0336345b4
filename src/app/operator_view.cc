#include "app/operator_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "app/graph_view.h"
#include "base/text.h"
#include "base/utf8.h"

namespace assay {
namespace {

constexpr size_t kUsersShown = 20;

class View {
 public:
  View(const Graph& graph, const GraphIndex& index, uint32_t number, bool all)
      : graph_(graph),
        index_(index),
        op_(graph.operators[number]),
        number_(number),
        all_(all) {}

  std::string Text() {
    text_ = fmt::format("[{}] {}\n", Name(op_.type), Name(op_.name));
    Identity();
    Inputs();
    Outputs();
    if (all_) Attributes("  attributes", "    ", op_.attrs);
    return std::move(text_);
  }

 private:
  std::string Name(NameId id) const { return Printable(graph_.Text(id)); }
  std::string OperatorName(uint32_t i) const {
    return Name(graph_.operators[i].name);
  }

  void Line(std::string_view title, const std::string& value) {
    if (!value.empty()) text_ += fmt::format("  {:<9} {}\n", title, value);
  }

  void Identity() {
    Line("id", fmt::format("{}", op_.id));
    if (op_.stream >= 0) Line("stream", fmt::format("{}", op_.stream));
    Line("kernel", Name(op_.kernel));
    Line("library", Name(op_.kernel_library));
    if (op_.part < graph_.parts.size()) {
      Line("graph", Name(graph_.parts[op_.part].name));
    }
    if (op_.part > 0) {
      const auto caller = index_.Caller(op_);
      if (caller) Line("called by", OperatorName(*caller));
    }
    Line("passes", NamesText(graph_, op_.passes));
    Line("made of", Originals());
    if (op_.l1 != kNoName) Line("L1 fusion", Name(op_.l1));
    if (op_.multi_op) Line("", "one of several that replace several");
    Line("subgraphs", NamesText(graph_, op_.subgraphs));
  }

  // "conv1 (Conv2D), bn1 (BatchNorm)"
  std::string Originals() const {
    if (!op_.originals) return "";
    if (op_.originals->empty()) return "nothing: the compiler inserted it";
    const bool typed = op_.original_types.size() == op_.originals->size();
    std::string text;
    for (size_t i = 0; i < op_.originals->size(); ++i) {
      if (i > 0) text += ", ";
      text += Name((*op_.originals)[i]);
      if (typed) text += fmt::format(" ({})", Name(op_.original_types[i]));
    }
    return text;
  }

  // "DT_FLOAT16 NC1HWC0 [1,1,8,8,16]  origin relu1:0 NCHW [1,8,6,6]"
  std::string Tensor(const GraphTensor& t) const {
    std::string text;
    const auto add = [&](const std::string& word) {
      if (!word.empty()) text += " " + word;
    };
    add(Name(t.name));
    add(Name(t.dtype));
    add(Name(t.layout));
    // Without a layout nothing tells a scalar from a shape that is not known.
    if (t.layout != kNoName || !t.shape.empty()) add(ToText(t.shape));
    if (t.origin != kNoName || t.origin_layout != kNoName || t.origin_shape) {
      add(" origin");
    }
    if (t.origin != kNoName) {
      add(t.origin_index < 0
              ? Name(t.origin)
              : fmt::format("{}:{}", Name(t.origin), t.origin_index));
    }
    add(Name(t.origin_layout));
    if (t.origin_shape) add(ToText(*t.origin_shape));
    if (t.fx != kNoName) add(fmt::format(" fx {}", Name(t.fx)));
    return text;
  }

  void Port(size_t number, const GraphTensor* tensor, const std::string& peer) {
    text_ += fmt::format("    [{}]{}  {}\n", number,
                         tensor != nullptr ? Tensor(*tensor) : "", peer);
    if (all_ && tensor != nullptr) Attributes("", "        ", tensor->attrs);
  }

  // "conv1:0", with a word if the graph has no such operator.
  std::string Peer(const Operator& user, const GraphEdge& edge) const {
    std::string text = edge.index < 0
                           ? Name(edge.op)
                           : fmt::format("{}:{}", Name(edge.op), edge.index);
    if (!index_.Find(user.part, edge.op)) text += " (not in the graph)";
    return text;
  }

  void Inputs() {
    const size_t tensors = op_.input_tensors.size();
    const size_t count = std::max(op_.inputs.size(), tensors);
    if (count > 0 || op_.parent_input >= 0) text_ += "  inputs\n";
    for (size_t i = 0; i < count; ++i) {
      const GraphTensor* tensor = i < tensors ? &op_.input_tensors[i] : nullptr;
      const GraphEdge edge =
          i < op_.inputs.size() ? op_.inputs[i] : GraphEdge{};
      if (edge.op == kNoName) {
        Port(i, tensor, "not connected");
      } else if (edge.index < 0) {
        text_ += fmt::format("    order only, after {}\n", Peer(op_, edge));
      } else {
        Port(i, tensor, "from " + Peer(op_, edge));
      }
    }
    if (op_.parent_input >= 0) ParentInput();
  }

  // A subgraph's Data is an input of the operator that calls the subgraph.
  void ParentInput() {
    const auto caller = index_.Caller(op_);
    const auto at = static_cast<size_t>(op_.parent_input);
    if (!caller) return;
    const Operator& parent = graph_.operators[*caller];
    text_ += fmt::format("    input {} of {}", at, OperatorName(*caller));
    if (at < parent.inputs.size() && parent.inputs[at].IsData()) {
      text_ += fmt::format(", from {}", Peer(parent, parent.inputs[at]));
    }
    text_ += '\n';
  }

  // "relu1:0, add:1": who uses an output.
  std::string Users(int32_t output) const {
    const auto found = users_.find(output);
    if (found == users_.end()) return "";
    std::string text;
    for (const GraphUse& use : found->second.shown) {
      text += text.empty() ? "" : ", ";
      text += OperatorName(use.op);
      if (output >= 0) text += fmt::format(":{}", use.input);
    }
    const size_t more = found->second.count - found->second.shown.size();
    return more == 0 ? text : text + fmt::format(" and {} more", more);
  }

  void FindUsers() {
    for (const GraphUse& use : index_.Uses(number_)) {
      OutputUsers& users = users_[use.output];
      if (users.count++ < kUsersShown) users.shown.push_back(use);
    }
    if (op_.part >= graph_.parts.size()) return;
    for (const GraphEdge& edge : graph_.parts[op_.part].outputs) {
      if (edge.op == op_.name && edge.index >= 0) {
        users_[edge.index].result = true;
      }
    }
  }

  // "to relu1:0, and a result"
  std::string Receivers(int32_t output) const {
    const std::string users = Users(output);
    const auto found = users_.find(output);
    if (found == users_.end()) return "to nobody";
    if (users.empty()) return "a result";
    return fmt::format("to {}{}", users,
                       found->second.result ? ", and a result" : "");
  }

  void Outputs() {
    FindUsers();
    const size_t tensors = op_.output_tensors.size();
    const std::string before = Users(-1);
    if (tensors > 0 || !users_.empty()) text_ += "  outputs\n";
    for (size_t i = 0; i < tensors; ++i) {
      Port(i, &op_.output_tensors[i], Receivers(static_cast<int32_t>(i)));
    }
    // Outputs that are used, and of which the graph says nothing else.
    for (const auto& [output, users] : users_) {
      if (output < 0 || static_cast<size_t>(output) < tensors) continue;
      Port(static_cast<size_t>(output), nullptr, Receivers(output));
    }
    if (!before.empty()) {
      text_ += fmt::format("    order only, before {}\n", before);
    }
    if (tensors == 0) Results();
  }

  // What a caller gives back is what its subgraph's last operator takes.
  void Results() {
    for (const NameId subgraph : op_.subgraphs) {
      const auto result = index_.Results(subgraph);
      if (!result) continue;
      const Operator& last = graph_.operators[*result];
      text_ += fmt::format("  results of {}\n", Name(subgraph));
      for (size_t k = 0; k < last.inputs.size(); ++k) {
        if (!last.inputs[k].IsData()) continue;
        Port(k,
             k < last.input_tensors.size() ? &last.input_tensors[k] : nullptr,
             "from " + Peer(last, last.inputs[k]));
      }
    }
  }

  void Attributes(std::string_view title, std::string_view indent,
                  const std::vector<GraphAttr>& attrs) {
    if (!title.empty() && !attrs.empty()) text_ += fmt::format("{}\n", title);
    for (const GraphAttr& attr : attrs) {
      text_ +=
          fmt::format("{}{} = {}\n", indent, Name(attr.key), Name(attr.value));
    }
  }

  struct OutputUsers {
    size_t count = 0;
    std::vector<GraphUse> shown;
    bool result = false;  // of the graph
  };

  const Graph& graph_;
  const GraphIndex& index_;
  const Operator& op_;
  uint32_t number_;
  bool all_;
  std::map<int32_t, OutputUsers> users_;  // by output
  std::string text_;
};

}  // namespace

std::string OperatorText(const Graph& graph, const GraphIndex& index,
                         uint32_t number, bool all) {
  return View(graph, index, number, all).Text();
}

}  // namespace assay
