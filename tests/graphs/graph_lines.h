#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/graph.h"

namespace assay {

// A graph as lines of text, to compare two of them. What only one kind of file
// has can be left out.
struct GraphLines {
  bool attrs = true;    // and the kernel, which is one of them
  bool inputs = true;   // tensors of inputs
  bool outputs = true;  // of the whole graph

  std::vector<std::string> operator()(const Graph& graph) const {
    std::vector<std::string> lines = {fmt::format(
        "{} {}", graph.Text(graph.name), Attrs(graph, graph.attrs))};
    for (const Graph::Part& part : graph.parts) {
      lines.push_back(fmt::format("part {} {} {}", graph.Text(part.name),
                                  Attrs(graph, part.attrs),
                                  outputs ? Edges(graph, part.outputs) : ""));
    }
    for (const Operator& op : graph.operators) lines.push_back(Line(graph, op));
    return lines;
  }

  std::string Line(const Graph& graph, const Operator& op) const {
    std::string line = fmt::format(
        "{} {} part {} id {} stream {} <- {} made of {} {} multi {} l1 {} "
        "passes {} calls {} parent {}",
        graph.Text(op.name), graph.Text(op.type), op.part, op.id, op.stream,
        Edges(graph, op.inputs),
        op.originals ? Names(graph, *op.originals) : "itself",
        Names(graph, op.original_types), op.multi_op, graph.Text(op.l1),
        Names(graph, op.passes), Names(graph, op.subgraphs), op.parent_input);
    if (attrs) {
      line +=
          fmt::format(" kernel {} of {} {}", graph.Text(op.kernel),
                      graph.Text(op.kernel_library), Attrs(graph, op.attrs));
    }
    for (size_t i = 0; inputs && i < op.input_tensors.size(); ++i) {
      line += "\n  in " + Tensor(graph, op.input_tensors[i]);
    }
    for (const GraphTensor& tensor : op.output_tensors) {
      line += "\n  out " + Tensor(graph, tensor);
    }
    return line;
  }

  static std::string Tensor(const Graph& graph, const GraphTensor& tensor) {
    return fmt::format(
        "{} {} {} {} origin {}:{} {} {} fx {} {} {}", graph.Text(tensor.name),
        graph.Text(tensor.dtype), graph.Text(tensor.layout),
        ToText(tensor.shape), graph.Text(tensor.origin), tensor.origin_index,
        graph.Text(tensor.origin_layout),
        tensor.origin_shape ? ToText(*tensor.origin_shape) : "none",
        graph.Text(tensor.fx), tensor.has_attrs, Attrs(graph, tensor.attrs));
  }

  static std::string Names(const Graph& graph, const std::vector<NameId>& ids) {
    std::string text = "[";
    for (const NameId id : ids) text.append(graph.Text(id)).append(",");
    return text + "]";
  }

  static std::string Edges(const Graph& graph,
                           const std::vector<GraphEdge>& edges) {
    std::string text = "[";
    for (const GraphEdge& edge : edges) {
      text += fmt::format("{}:{},", graph.Text(edge.op), edge.index);
    }
    return text + "]";
  }

  // In any order: the writers have their own.
  static std::string Attrs(const Graph& graph,
                           const std::vector<GraphAttr>& list) {
    std::vector<std::string> lines;
    for (const GraphAttr& attr : list) {
      lines.push_back(
          fmt::format("{}={};", graph.Text(attr.key), graph.Text(attr.value)));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line;
    return "(" + text + ")";
  }
};

}  // namespace assay
