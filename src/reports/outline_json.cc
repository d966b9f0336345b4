#include "reports/outline_json.h"

#include "base/json_writer.h"
#include "reports/json_reader.h"

namespace assay {
namespace {

void AppendNode(const GraphOutline::Node& node, JsonWriter& json) {
  json.BeginObject().Key("name").Text(node.name).Key("type").Text(node.type);
  if (!node.originals.empty()) {
    json.Key("originals").BeginArray();
    for (const std::string& name : node.originals) json.Text(name);
    json.EndArray();
  }
  if (!node.attrs.empty()) {
    json.Key("attrs").BeginObject();
    for (const auto& [key, value] : node.attrs) json.Key(key).Text(value);
    json.EndObject();
  }
  json.EndObject();
}

GraphOutline::Node ReadNode(const JsonReader& json) {
  GraphOutline::Node node{.name = json.Text("name"),
                          .type = json.Text("type"),
                          .originals = json.Texts("originals")};
  const JsonReader attrs = json.Object("attrs");
  for (const std::string& key : attrs.Keys()) {
    node.attrs.emplace_back(key, attrs.Text(key));
  }
  return node;
}

// Pairs in one list. An edge to a node that is not there is damage.
Status ReadEdges(const JsonReader& json, GraphOutline& outline) {
  const Shape ends = json.Ints("edges");
  const auto count = static_cast<int64_t>(outline.nodes.size());
  for (size_t i = 0; i + 1 < ends.size(); i += 2) {
    for (const int64_t end : {ends[i], ends[i + 1]}) {
      if (end < 0 || end >= count) {
        return Corrupt("an edge of the graph leads to node {} of {}", end,
                       count);
      }
    }
    outline.edges.emplace_back(ends[i], ends[i + 1]);
  }
  return Done{};
}

Status ReadRows(const JsonReader& json, GraphOutline& outline) {
  const auto count = static_cast<int64_t>(outline.nodes.size());
  for (const int64_t node : json.Ints("node_of_row")) {
    if (node < -1 || node >= count) {
      return Corrupt("a row stands at node {} of {}", node, count);
    }
    outline.node_of_row.push_back(static_cast<int32_t>(node));
  }
  return Done{};
}

}  // namespace

std::string OutlineJson(const GraphOutline& outline) {
  JsonWriter json;
  json.BeginObject().Key("file").Text(outline.file).Key("nodes").BeginArray();
  for (const GraphOutline::Node& node : outline.nodes) AppendNode(node, json);
  json.EndArray().Key("edges").BeginArray();
  for (const auto& [from, to] : outline.edges) json.Uint(from).Uint(to);
  json.EndArray().Key("node_of_row").BeginArray();
  for (const int32_t node : outline.node_of_row) json.Int(node);
  return json.EndArray().EndObject().Take();
}

Result<GraphOutline> OutlineFromJson(std::string_view text) {
  ASSIGN_OR_RETURN(const Json value, ParseJson(text));
  std::string problem;
  const JsonReader json(value, problem);
  GraphOutline outline{.file = json.Text("file")};
  for (const JsonReader& node : json.Objects("nodes")) {
    outline.nodes.push_back(ReadNode(node));
  }
  RETURN_IF_ERROR(ReadEdges(json, outline));
  RETURN_IF_ERROR(ReadRows(json, outline));
  if (!problem.empty()) return Corrupt("graph: {}", problem);
  return outline;
}

}  // namespace assay
