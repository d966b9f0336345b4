#include "pipeline/graph_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace assay {
namespace {

// Put in by the compiler, or without numbers of their own.
constexpr std::string_view kNotJudged[] = {
    "TransData", "Cast", "Recv",   "Send",     "Variable",
    "NetOutput", "NoOp", "Assign", "Constant", "StreamActive"};

bool IsJudged(std::string_view type) {
  return std::find(std::begin(kNotJudged), std::end(kNotJudged), type) ==
         std::end(kNotJudged);
}

// A name that the same part of another graph file has too.
std::string PartKey(const Graph& graph, uint32_t part) {
  if (part >= graph.parts.size()) return "";
  const auto session = graph.Attr(graph.parts[part].attrs, "_session_graph_id");
  if (session && !session->empty()) return fmt::format("session {}", *session);
  if (part == 0) return "root";
  return fmt::format("part {}", graph.Text(graph.parts[part].name));
}

// Which part of `b` each part of `a` is; -1: none. The two root graphs belong
// together unless a session says otherwise.
std::vector<int64_t> PairParts(const Graph& a, const Graph& b) {
  std::unordered_map<std::string, uint32_t> places;
  for (uint32_t i = 0; i < b.parts.size(); ++i)
    places.emplace(PartKey(b, i), i);
  std::vector<int64_t> paired(std::max<size_t>(a.parts.size(), 1), -1);
  std::vector<bool> taken(std::max<size_t>(b.parts.size(), 1), false);
  for (uint32_t i = 0; i < a.parts.size(); ++i) {
    const auto found = places.find(PartKey(a, i));
    if (found == places.end() || taken[found->second]) continue;
    paired[i] = found->second;
    taken[found->second] = true;
  }
  if (paired[0] < 0 && !taken[0]) paired[0] = 0;
  return paired;
}

using Places =
    std::map<std::pair<uint32_t, std::string_view>, std::vector<uint32_t>>;

// Operators by part and name, the last one first.
Places PlacesOf(const Graph& graph) {
  Places places;
  for (uint32_t i = 0; i < graph.operators.size(); ++i) {
    const Operator& op = graph.operators[i];
    places[{op.part, graph.Text(op.name)}].push_back(i);
  }
  for (auto& entry : places) {
    std::reverse(entry.second.begin(), entry.second.end());
  }
  return places;
}

void Note(const std::string& what, std::string_view a, std::string_view b,
          std::vector<GraphChange>& changes) {
  if (a != b) changes.push_back({what, std::string(a), std::string(b)});
}

struct Ports {
  const Graph& graph;
  const std::vector<GraphTensor>& tensors;
};

void NotePorts(std::string_view port, const Ports& a, const Ports& b,
               std::vector<GraphChange>& changes) {
  const size_t in_a = a.tensors.size(), in_b = b.tensors.size();
  if (in_a != in_b) {
    Note(fmt::format("{}s", port), fmt::format("{}", in_a),
         fmt::format("{}", in_b), changes);
  }
  for (size_t i = 0; i < std::min(in_a, in_b); ++i) {
    const GraphTensor &ta = a.tensors[i], &tb = b.tensors[i];
    Note(fmt::format("{} {} dtype", port, i), a.graph.Text(ta.dtype),
         b.graph.Text(tb.dtype), changes);
    Note(fmt::format("{} {} layout", port, i), a.graph.Text(ta.layout),
         b.graph.Text(tb.layout), changes);
  }
}

std::vector<GraphChange> Changes(const Graph& a, const Operator& op_a,
                                 const Graph& b, const Operator& op_b) {
  std::vector<GraphChange> changes;
  Note("type", a.Text(op_a.type), b.Text(op_b.type), changes);
  NotePorts("input", {a, op_a.input_tensors}, {b, op_b.input_tensors}, changes);
  NotePorts("output", {a, op_a.output_tensors}, {b, op_b.output_tensors},
            changes);
  return changes;
}

void DiffPair(const Graph& a, const Graph& b, ChangedOperator pair,
              GraphDiff& diff) {
  const Operator& op = a.operators[pair.a];
  const bool judged = IsJudged(a.Text(op.type));
  pair.changes = Changes(a, op, b, b.operators[pair.b]);
  ++diff.same_name;
  if (judged) ++diff.judged;
  if (judged && pair.changes.empty()) ++diff.equal;
  if (!pair.changes.empty()) diff.changed.push_back(std::move(pair));
}

}  // namespace

double GraphDiff::Similarity() const {
  if (judged == 0) return 100;
  return 100.0 * static_cast<double>(equal) / static_cast<double>(judged);
}

GraphDiff DiffGraphs(const Graph& a, const Graph& b) {
  const std::vector<int64_t> parts = PairParts(a, b);
  Places places = PlacesOf(b);
  std::vector<bool> used(b.operators.size(), false);
  GraphDiff diff;
  for (uint32_t i = 0; i < a.operators.size(); ++i) {
    const Operator& op = a.operators[i];
    const int64_t part = op.part < parts.size() ? parts[op.part] : -1;
    const auto found =
        part < 0 ? places.end()
                 : places.find({static_cast<uint32_t>(part), a.Text(op.name)});
    if (found == places.end() || found->second.empty()) {
      diff.only_a.push_back(i);
      continue;
    }
    const uint32_t other = found->second.back();
    found->second.pop_back();
    used[other] = true;
    DiffPair(a, b, {i, other, {}}, diff);
  }
  for (uint32_t i = 0; i < b.operators.size(); ++i) {
    if (!used[i]) diff.only_b.push_back(i);
  }
  return diff;
}

}  // namespace assay
