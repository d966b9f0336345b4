#include "graphs/onnx_graph.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "base/utf8.h"
#include "graphs/onnx_grids.h"

namespace assay::onnx {
namespace {

// What the names of tensors mean inside a part.
struct Scope {
  std::unordered_map<NameId, GraphEdge> makers;
  std::unordered_map<NameId, const Value*> values;
};

class Maker {
 public:
  explicit Maker(Model model) : model_(std::move(model)) {
    graph_.names = std::move(model_.names);
    scopes_.resize(model_.parts.size());
  }

  Graph Make() {
    NameParts();
    for (uint32_t i = 0; i < model_.parts.size(); ++i) AddPart(i);
    for (Operator& op : graph_.operators) Connect(op);
    for (uint32_t i = 0; i < model_.parts.size(); ++i) AddOutputs(i);
    if (late_ > 0) {
      graph_.warnings.push_back(
          fmt::format("{} made by a later node", Counted(late_, "input")));
    }
    AddFaults();
    graph_.name = graph_.parts[0].name;
    SetGrids(model_, graph_);
    return std::move(graph_);
  }

 private:
  // Subgraphs may have no name, or that of another.
  void NameParts() {
    std::unordered_set<NameId> seen;
    for (size_t i = 0; i < model_.parts.size(); ++i) {
      NameId name = model_.parts[i].name;
      if ((i > 0 && name == kNoName) || !seen.insert(name).second) {
        name = graph_.names.Intern(fmt::format("{}#{}", graph_.Text(name), i));
        seen.insert(name);
      }
      graph_.parts.push_back({.name = name});
    }
  }

  void AddPart(uint32_t number) {
    const Part& part = model_.parts[number];
    Scope& scope = scopes_[number];
    for (const auto* list :
         {&part.values, &part.inputs, &part.outputs, &part.initializers}) {
      for (const Value& value : *list) scope.values[value.name] = &value;
    }
    std::unordered_set<NameId> taken;
    std::vector<NameId> names;
    for (size_t i = 0; i < part.nodes.size(); ++i) {
      names.push_back(NodeName(part.nodes[i], i));
      taken.insert(names.back());
    }
    for (const Value& value : part.initializers) {
      AddSource(number, value, "Const", "initializer", taken);
    }
    for (const Value& value : part.inputs) {
      if (scope.makers.contains(value.name)) continue;
      AddSource(number, value, "Data", "input", taken);
    }
    for (size_t i = 0; i < part.nodes.size(); ++i) {
      AddNode(number, part.nodes[i], names[i]);
    }
  }

  NameId NodeName(const Node& node, size_t place) {
    if (node.name != kNoName) return node.name;
    return graph_.names.Intern(
        fmt::format("{}_{}", graph_.Text(node.type), place));
  }

  Operator& Add(uint32_t part, NameId name, NameId type) {
    const auto id = static_cast<int64_t>(graph_.operators.size());
    graph_.operators.push_back(
        {.name = name, .type = type, .part = part, .id = id});
    return graph_.operators.back();
  }

  void AddSource(uint32_t part, const Value& value, std::string_view type,
                 std::string_view what, std::unordered_set<NameId>& taken) {
    if (value.name == kNoName) return;
    NameId name = value.name;
    if (!taken.insert(name).second) {
      name =
          graph_.names.Intern(fmt::format("{} ({})", graph_.Text(name), what));
    }
    Operator& op = Add(part, name, graph_.names.Intern(type));
    op.at = value.span.begin;
    op.output_tensors.push_back(Tensor(part, value.name));
    scopes_[part].makers.emplace(value.name, GraphEdge{name, 0});
  }

  void AddNode(uint32_t part, const Node& node, NameId name) {
    Operator& op = Add(part, name, node.type);
    op.at = node.span.begin;
    for (const NameId input : node.inputs) {
      op.input_tensors.push_back(Tensor(part, input));
    }
    for (size_t i = 0; i < node.outputs.size(); ++i) {
      const NameId output = node.outputs[i];
      op.output_tensors.push_back(Tensor(part, output));
      if (output != kNoName) NoteMaker(op, output, i);
    }
    for (const Attribute& attribute : node.attributes) {
      op.attrs.push_back(
          {attribute.name, AttributeText(attribute, graph_.names)});
    }
    for (const uint32_t inner : node.subgraphs) {
      op.subgraphs.push_back(graph_.parts[inner].name);
    }
  }

  std::string Shown(NameId id) const { return Printable(graph_.Text(id)); }

  // Runtimes take the same constant twice, and nothing else.
  void NoteMaker(const Operator& op, NameId tensor, size_t index) {
    const GraphEdge edge{op.name, static_cast<int32_t>(index)};
    const auto [entry, is_new] = scopes_[op.part].makers.emplace(tensor, edge);
    if (is_new || graph_.Text(op.type) == "Constant") return;
    if (twice_.count++ > 0) return;
    twice_.error =
        Corrupt("tensor '{}' is made twice, by '{}' and by '{}'", Shown(tensor),
                Shown(entry->second.op), Shown(op.name))
            .Hint(
                "inputs are named after tensors, so a graph has "
                "each name once");
    twice_.error.offset = op.at;
  }

  // A part sees the tensors of the parts around it.
  template <typename T>
  const T* Seen(uint32_t part, NameId tensor,
                std::unordered_map<NameId, T> Scope::*map) const {
    for (auto at = static_cast<int32_t>(part); at >= 0;
         at = model_.parts[static_cast<size_t>(at)].parent) {
      const auto& names = scopes_[static_cast<size_t>(at)].*map;
      const auto found = names.find(tensor);
      if (found != names.end()) return &found->second;
    }
    return nullptr;
  }

  GraphTensor Tensor(uint32_t part, NameId name) const {
    GraphTensor tensor{.name = name};
    const Value* const* value =
        name == kNoName ? nullptr : Seen(part, name, &Scope::values);
    if (value != nullptr) {
      tensor.dtype = (*value)->dtype;
      tensor.shape = (*value)->shape;
    }
    return tensor;
  }

  GraphEdge MakerOf(uint32_t part, NameId tensor) const {
    if (tensor == kNoName) return {};
    const GraphEdge* found = Seen(part, tensor, &Scope::makers);
    return found != nullptr ? *found : GraphEdge{tensor, 0};
  }

  void Connect(Operator& op) {
    made_.insert(Key(op.part, op.name));
    for (const GraphTensor& tensor : op.input_tensors) {
      const GraphEdge edge = MakerOf(op.part, tensor.name);
      op.inputs.push_back(edge);
      const bool own = scopes_[op.part].makers.contains(tensor.name);
      // Operators stand in the order of execution.
      if (own && !made_.contains(Key(op.part, edge.op))) ++late_;
      if (tensor.name != kNoName &&
          Seen(op.part, tensor.name, &Scope::makers) == nullptr) {
        NoteMissing(op);
      }
    }
  }

  // The last of its inputs so far.
  void NoteMissing(const Operator& op) {
    if (missing_.count++ > 0) return;
    missing_.error =
        NotFound("operator '{}' takes input {} from '{}', which is not there",
                 Shown(op.name), op.inputs.size() - 1,
                 Shown(op.inputs.back().op))
            .Hint("it is no input, no initializer and no node's output");
    missing_.error.offset = op.at;
  }

  // The first of a kind and how many there are.
  struct Fault {
    uint64_t count = 0;
    Error error;
  };

  void AddFaults() {
    for (Fault* fault : {&twice_, &missing_}) {
      if (fault->count == 0) continue;
      if (fault->count > 1) {
        fault->error.what += fmt::format(" (the first of {})", fault->count);
      }
      graph_.faults.push_back(std::move(fault->error));
    }
  }

  void AddOutputs(uint32_t part) {
    for (const Value& value : model_.parts[part].outputs) {
      graph_.parts[part].outputs.push_back(MakerOf(part, value.name));
    }
  }

  static uint64_t Key(uint32_t part, NameId name) {
    return static_cast<uint64_t>(part) << 32 | name;
  }

  Model model_;
  Graph graph_;
  std::vector<Scope> scopes_;
  std::unordered_set<uint64_t> made_;
  size_t late_ = 0;
  Fault twice_, missing_;
};

}  // namespace

NameId AttributeText(const Attribute& attribute, NamePool& names) {
  if (!attribute.list) {
    return attribute.items.empty() ? kNoName : attribute.items[0];
  }
  std::string text = "[";
  for (const NameId item : attribute.items) {
    if (text.size() > 1) text += ',';
    text += names[item];
  }
  return names.Intern(text + "]");
}

Graph ToGraph(Model model) { return Maker(std::move(model)).Make(); }

}  // namespace assay::onnx
