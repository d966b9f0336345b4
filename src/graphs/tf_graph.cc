#include "graphs/tf_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <unordered_map>

#include "graphs/each_field.h"
#include "graphs/tf_attr.h"

namespace assay::tf {
namespace {

class Reader {
 public:
  explicit Reader(FieldReader& in) : in_(in) { AddPart(""); }

  Result<Graph> Read() {
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) { return Top(f); }));
    if (graphs_ > 1) {
      graph_.warnings.push_back(
          fmt::format("a model of {} graphs: all of them are listed", graphs_));
    }
    for (Operator& op : graph_.operators) LinkFunctions(op);
    if (!graph_.operators.empty()) return std::move(graph_);
    return Corrupt("no node in it").Hint("a graph of TensorFlow is wanted");
  }

 private:
  Status Skip(const Field& field) {
    in_.Skip(field);
    return Done{};
  }
  NameId Text(const Field& field) {
    return graph_.names.Intern(field.View(scratch_));
  }
  uint32_t AddPart(std::string_view name) {
    graph_.parts.push_back({.name = graph_.names.Intern(name)});
    return static_cast<uint32_t>(graph_.parts.size() - 1);
  }

  // The three kinds of files nest: SavedModel, MetaGraphDef, GraphDef.
  Status Top(const Field& f) {
    if (f.kind != FieldKind::kBegin) return Skip(f);
    if (f.name == "node") return Node(main_, f);
    if (f.name == "library") return Library();
    // The graphs of a model for training and for serving share names.
    if (f.name == "graph_def" && ++graphs_ > 1) {
      main_ = AddPart(fmt::format("graph {}", graphs_));
    }
    if (f.name == "graph_def" || f.name == "meta_graphs") {
      if (++depth_ > 2) return in_.Wrong(f, "a graph inside a graph");
      Status status =
          EachField(in_, [&](const Field& inner) { return Top(inner); });
      --depth_;
      return status;
    }
    return Skip(f);
  }

  Status Library() {
    return EachField(in_, [&](const Field& f) -> Status {
      if (f.kind != FieldKind::kBegin || f.name != "function") return Skip(f);
      return Function();
    });
  }

  Status Function() {
    const uint32_t part = AddPart("");
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.kind != FieldKind::kBegin) return Skip(f);
      if (f.name == "signature") return Signature(part);
      if (f.name == "node_def") return Node(part, f);
      if (f.name == "ret") return Return(part);
      return Skip(f);
    }));
    functions_.emplace(graph_.parts[part].name, part);
    return Done{};
  }

  Status Signature(uint32_t part) {
    return EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "name" && f.IsScalar()) graph_.parts[part].name = Text(f);
      if (f.kind == FieldKind::kBegin && f.name == "input_arg") {
        return Argument(part, f);
      }
      return Skip(f);
    });
  }

  // An argument of a function: what callers call Data.
  Status Argument(uint32_t part, const Field& begin) {
    Operator op{.part = part, .at = begin.at};
    op.type = graph_.names.Intern("Data");
    GraphTensor tensor;
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "name" && f.IsScalar()) op.name = Text(f);
      if (f.name == "type" && f.IsScalar()) tensor.dtype = Text(f);
      return Skip(f);
    }));
    op.parent_input = arguments_[part]++;
    op.output_tensors.push_back(std::move(tensor));
    Add(std::move(op));
    return Done{};
  }

  Status Return(uint32_t part) {
    return EachField(in_, [&](const Field& f) -> Status {
      if (f.name == "value" && f.IsScalar()) {
        graph_.parts[part].outputs.push_back(
            ParseEdge(f.View(scratch_), graph_.names));
      }
      return Skip(f);
    });
  }

  Status Node(uint32_t part, const Field& begin) {
    Operator op{.part = part, .at = begin.at};
    std::vector<GraphEdge> order;
    NodeTypes types;
    RETURN_IF_ERROR(EachField(in_, [&](const Field& f) -> Status {
      if (f.kind == FieldKind::kBegin && f.name == "attr") {
        return ReadAttr(in_, graph_.names, op, types);
      }
      if (!f.IsScalar()) return Skip(f);
      if (f.name == "name") op.name = Text(f);
      if (f.name == "op") op.type = Text(f);
      if (f.name != "input") return Done{};
      const GraphEdge edge = ParseEdge(f.View(scratch_), graph_.names);
      (edge.index < 0 ? order : op.inputs).push_back(edge);
      return Done{};
    }));
    if (op.name == kNoName || op.type == kNoName) {
      return in_.Wrong(begin, "a node has no name or no op");
    }
    op.inputs.insert(op.inputs.end(), order.begin(), order.end());
    op.output_tensors = types.Outputs();
    Add(std::move(op));
    return Done{};
  }

  void Add(Operator op) {
    op.id = static_cast<int64_t>(graph_.operators.size());
    graph_.operators.push_back(std::move(op));
  }

  // A node of a function's type calls it; others name it in an attribute,
  // which ReadAttr has put among the subgraphs.
  void LinkFunctions(Operator& op) {
    std::erase_if(op.subgraphs,
                  [&](NameId name) { return !functions_.contains(name); });
    if (functions_.contains(op.type)) op.subgraphs.push_back(op.type);
  }

  FieldReader& in_;
  Graph graph_;
  std::unordered_map<NameId, uint32_t> functions_;   // by name
  std::unordered_map<uint32_t, int32_t> arguments_;  // by part
  int depth_ = 0, graphs_ = 0;
  uint32_t main_ = 0;  // part of the graph that is read
  std::string scratch_;
};

}  // namespace

GraphEdge ParseEdge(std::string_view text, NamePool& names) {
  if (text.empty()) return {};
  if (text.starts_with('^')) return {names.Intern(text.substr(1)), -1};
  const size_t colon = text.rfind(':');
  int32_t index = 0;
  if (colon != text.npos) {
    const char* const end = text.data() + text.size();
    const auto [stop, error] =
        std::from_chars(text.data() + colon + 1, end, index);
    if (error != std::errc() || stop != end || index < 0) index = 0;
  }
  return {names.Intern(text.substr(0, text.find(':'))), index};
}

Result<Graph> ReadGraph(FieldReader& in) {
  ASSIGN_OR_RETURN(Graph graph, Reader(in).Read());
  // Part after part: the functions may stand before the graph's own nodes.
  std::stable_sort(
      graph.operators.begin(), graph.operators.end(),
      [](const Operator& a, const Operator& b) { return a.part < b.part; });
  return graph;
}

}  // namespace assay::tf
