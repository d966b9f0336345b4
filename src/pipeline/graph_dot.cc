#include "pipeline/graph_dot.h"

#include <fmt/format.h>

#include <unordered_set>

#include "base/child_process.h"
#include "base/text.h"
#include "base/utf8.h"

namespace assay {
namespace {

// More boxes than this nobody can read, and Graphviz takes minutes.
constexpr size_t kMostOperators = 400;
constexpr size_t kLongestName = 60;

std::vector<uint32_t> Neighbours(const Graph& graph, const GraphIndex& index,
                                 uint32_t op) {
  std::vector<uint32_t> found;
  for (size_t k = 0; k < graph.operators[op].inputs.size(); ++k) {
    const auto producer = index.Producer(graph.operators[op], k);
    if (producer) found.push_back(*producer);
  }
  for (const GraphUse& use : index.Uses(op)) found.push_back(use.op);
  return found;
}

std::vector<Neighbourhood::Edge> EdgesAmong(const Graph& graph,
                                            const GraphIndex& index,
                                            const Neighbourhood& around) {
  const std::unordered_set<uint32_t> inside(around.operators.begin(),
                                            around.operators.end());
  std::vector<Neighbourhood::Edge> edges;
  for (const uint32_t to : around.operators) {
    const Operator& op = graph.operators[to];
    for (size_t k = 0; k < op.inputs.size(); ++k) {
      const auto from = index.Producer(op, k);
      if (!from || !inside.contains(*from)) continue;
      edges.push_back({*from, to, op.inputs[k].index, static_cast<int32_t>(k)});
    }
  }
  return edges;
}

// Long names keep their end: that is where they differ.
std::string Shortened(std::string_view name) {
  if (name.size() <= kLongestName) return std::string(name);
  size_t begin = name.size() - kLongestName;
  while (begin < name.size() && (name[begin] & 0xC0) == 0x80) ++begin;
  return "…" + std::string(name.substr(begin));
}

// A label between quotes: what Graphviz would read as an escape is shielded,
// what is no UTF-8 is replaced.
std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : ValidUtf8(text)) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\0') continue;
    quoted += c == '\n' || c == '\r' ? ' ' : c;
  }
  return quoted + '"';
}

std::string NodeText(const Graph& graph, uint32_t number, bool centre) {
  const Operator& op = graph.operators[number];
  const std::string_view name = graph.Text(op.name);
  std::string label = Quoted(graph.Text(op.type));
  label.pop_back();
  label += "\\n" + Quoted(Shortened(name)).substr(1);
  return fmt::format(
      "  n{} [label={} tooltip={}{}];\n", number, label, Quoted(name),
      centre ? " style=\"filled,bold\" fillcolor=\"#ffe08a\"" : "");
}

std::string EdgeText(const Neighbourhood::Edge& edge) {
  if (edge.output < 0) {
    return fmt::format("  n{} -> n{} [style=dashed];\n", edge.from, edge.to);
  }
  return fmt::format("  n{} -> n{} [taillabel=\"{}\" headlabel=\"{}\"];\n",
                     edge.from, edge.to, edge.output, edge.input);
}

}  // namespace

Neighbourhood FindNeighbours(const Graph& graph, const GraphIndex& index,
                             uint32_t centre, int levels) {
  Neighbourhood around{.centre = centre, .operators = {centre}};
  std::unordered_set<uint32_t> seen = {centre};
  size_t begin = 0;
  for (int level = 0; level < levels && !around.cut; ++level) {
    const size_t end = around.operators.size();
    for (size_t i = begin; i < end; ++i) {
      for (const uint32_t op : Neighbours(graph, index, around.operators[i])) {
        if (seen.contains(op)) continue;
        around.cut = around.operators.size() >= kMostOperators;
        if (around.cut) break;
        seen.insert(op);
        around.operators.push_back(op);
      }
    }
    if (end == around.operators.size()) break;
    begin = end;
  }
  around.edges = EdgesAmong(graph, index, around);
  return around;
}

std::string DotText(const Graph& graph, const Neighbourhood& around) {
  std::string text =
      "digraph {\n"
      "  node [shape=box style=\"filled\" fillcolor=\"#f4f6f8\" "
      "fontname=\"sans-serif\" fontsize=11];\n"
      "  edge [fontname=\"sans-serif\" fontsize=9 color=\"#5f6b7a\"];\n";
  for (const uint32_t op : around.operators) {
    text += NodeText(graph, op, op == around.centre);
  }
  for (const auto& edge : around.edges) text += EdgeText(edge);
  return text + "}\n";
}

Result<std::string> DrawSvg(const std::string& dot) {
  auto ran = RunChild({"dot", "-Tsvg"}, dot);
  if (!ran && ran.error().code == ErrorCode::kNotFound) {
    return NotFound("the program 'dot' of Graphviz is not here")
        .Hint("install the package graphviz; --json needs no picture");
  }
  if (!ran) return ran.error();
  if (ran->exit != 0 || ran->out.empty()) {
    return Internal("dot ended with {}: {}", ran->exit,
                    Trim(ran->err).substr(0, 200));
  }
  return std::move(ran->out);
}

}  // namespace assay
