#include "reports/page_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "drawing/layered.h"

namespace assay {
namespace {

// The first `depth` parts of a name that has more; else the name itself.
std::string_view Scope(std::string_view name, size_t depth) {
  size_t at = 0;
  for (size_t i = 0; i < depth; ++i) {
    at = name.find_first_of("/.", at + (i > 0 || name.starts_with('/')));
    if (at == std::string_view::npos) return name;
  }
  return name.substr(0, at);
}

struct Level {
  size_t depth = 0;  // of the scopes that are folded; 0: none are
  std::vector<std::string_view> names;
  std::vector<uint32_t> box;      // of each node of the whole graph
  std::vector<uint32_t> members;  // of each box
  std::vector<DrawnEdge> edges;
};

Level Whole(const GraphOutline& outline) {
  Level level;
  for (const auto& node : outline.nodes) {
    level.box.push_back(static_cast<uint32_t>(level.names.size()));
    level.names.push_back(node.name);
    level.members.push_back(1);
  }
  level.edges = outline.edges;
  return level;
}

Level Folded(const GraphOutline& outline, size_t depth) {
  Level level{.depth = depth};
  std::unordered_map<std::string_view, uint32_t> boxes;
  for (const auto& node : outline.nodes) {
    const std::string_view scope = Scope(node.name, depth);
    const auto next = static_cast<uint32_t>(boxes.size());
    const auto [box, fresh] = boxes.emplace(scope, next);
    if (fresh) {
      level.names.push_back(scope);
      level.members.push_back(0);
    }
    level.box.push_back(box->second);
    ++level.members[box->second];
  }
  for (const auto& [from, to] : outline.edges) {
    const DrawnEdge edge(level.box[from], level.box[to]);
    if (edge.first != edge.second) level.edges.push_back(edge);
  }
  std::sort(level.edges.begin(), level.edges.end());
  const auto same = std::unique(level.edges.begin(), level.edges.end());
  level.edges.erase(same, level.edges.end());
  return level;
}

// The whole graph first, then foldings from fine to coarse, each at least a
// fifth smaller than the one before.
std::vector<Level> Levels(const GraphOutline& outline) {
  constexpr size_t kDeepest = 8;
  std::vector<Level> levels = {Whole(outline)};
  for (size_t depth = kDeepest; depth > 0; --depth) {
    Level level = Folded(outline, depth);
    const size_t before = levels.back().names.size();
    if (level.names.size() * 5 > before * 4 || level.names.size() < 2) continue;
    levels.push_back(std::move(level));
  }
  return levels;
}

void AppendLevel(const std::string& prefix, const Level& level,
                 PageColumns& columns) {
  const Drawing drawing = DrawLayered(level.names.size(), level.edges);
  columns.Texts(prefix + "name", level.names);
  const std::vector<double> x(drawing.x.begin(), drawing.x.end());
  columns.Reals(prefix + "x", x);
  columns.Whole(prefix + "layer", drawing.layer);
  columns.Whole(prefix + "box", level.box);
  columns.Whole(prefix + "members", level.members);
  std::vector<uint32_t> from, to;
  for (const auto& [a, b] : level.edges) {
    from.push_back(a);
    to.push_back(b);
  }
  columns.Whole(prefix + "from", from);
  columns.Whole(prefix + "to", to);
}

void AppendTypes(const std::string& prefix, const GraphOutline& outline,
                 PageColumns& columns) {
  std::vector<std::string_view> types;
  for (const auto& node : outline.nodes) types.push_back(node.type);
  columns.Texts(prefix + "type", types);
  std::vector<uint32_t> nodes;
  for (const int32_t node : outline.node_of_row) {
    nodes.push_back(static_cast<uint32_t>(node + 1));
  }
  columns.Whole(prefix + "node", nodes);
}

// Fused operators and attributes: few nodes have them.
void AppendFacts(const GraphOutline& outline, JsonWriter& json) {
  json.Key("originals").BeginObject();
  for (size_t i = 0; i < outline.nodes.size(); ++i) {
    if (outline.nodes[i].originals.empty()) continue;
    json.Key(fmt::format("{}", i)).BeginArray();
    for (const auto& name : outline.nodes[i].originals) json.Text(name);
    json.EndArray();
  }
  json.EndObject().Key("attrs").BeginObject();
  for (size_t i = 0; i < outline.nodes.size(); ++i) {
    if (outline.nodes[i].attrs.empty()) continue;
    json.Key(fmt::format("{}", i)).BeginObject();
    for (const auto& [key, value] : outline.nodes[i].attrs) {
      json.Key(key).Text(value);
    }
    json.EndObject();
  }
  json.EndObject();
}

}  // namespace

void AppendGraph(std::string_view side, const GraphOutline* outline,
                 PageColumns& columns, JsonWriter& json) {
  json.Key(side);
  if (outline == nullptr) {
    json.Null();
    return;
  }
  const std::string prefix = fmt::format("{}.", side);
  const std::vector<Level> levels = Levels(*outline);
  for (size_t i = 0; i < levels.size(); ++i) {
    AppendLevel(fmt::format("{}{}.", prefix, i), levels[i], columns);
  }
  AppendTypes(prefix, *outline, columns);
  json.BeginObject().Key("file").Text(outline->file);
  json.Key("depths").BeginArray();
  for (const Level& level : levels) json.Uint(level.depth);
  json.EndArray();
  AppendFacts(*outline, json);
  json.EndObject();
}

}  // namespace assay
