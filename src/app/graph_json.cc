#include "app/graph_json.h"

#include <fmt/format.h>

#include <algorithm>

#include "pipeline/graph_select.h"

namespace assay {
namespace {

void NamesJson(const Graph& graph, std::string_view key,
               const std::vector<NameId>& names, JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const NameId id : names) json.Text(graph.Text(id));
  json.EndArray();
}

// Name, type and part of an object that stays open.
JsonWriter& BeginOperator(const Graph& graph, uint32_t number,
                          JsonWriter& json) {
  const Operator& op = graph.operators[number];
  json.BeginObject().Key("name").Text(graph.Text(op.name));
  json.Key("type").Text(graph.Text(op.type));
  json.Key("part").TextOrNull(op.part < graph.parts.size()
                                  ? graph.Text(graph.parts[op.part].name)
                                  : "");
  return json;
}

// The same and what its compiler did, of an object that stays open.
JsonWriter& BeginCompiled(const Graph& graph, uint32_t number,
                          JsonWriter& json) {
  const Operator& op = graph.operators[number];
  BeginOperator(graph, number, json);
  NamesJson(graph, "passes", op.passes, json);
  json.Key("kernel").TextOrNull(graph.Text(op.kernel));
  return json.Key("id").Int(op.id);
}

void OperatorsJson(const Graph& graph, std::string_view key,
                   const std::vector<uint32_t>& operators, JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const uint32_t i : operators) {
    BeginCompiled(graph, i, json).EndObject();
  }
  json.EndArray();
}

// The name of a tensor where tensors have names, else "operator:0".
std::string TensorText(const Graph& graph, const GraphEdge& edge) {
  const Operator* op = graph.Find(edge.op);
  const auto index = static_cast<size_t>(edge.index);
  if (op != nullptr && index < op->output_tensors.size() &&
      op->output_tensors[index].name != kNoName) {
    return std::string(graph.Text(op->output_tensors[index].name));
  }
  return fmt::format("{}:{}", graph.Text(edge.op), edge.index);
}

void EdgesJson(const Graph& graph, std::string_view key,
               const std::vector<GraphEdge>& edges, JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const GraphEdge& edge : edges) {
    if (edge.IsData()) json.Text(TensorText(graph, edge));
  }
  json.EndArray();
}

// An operator with the tensors it takes and makes.
void FlowJson(const Graph& graph, uint32_t number, JsonWriter& json) {
  const Operator& op = graph.operators[number];
  const auto& made = op.output_tensors;
  const bool named = std::ranges::any_of(
      made, [](const GraphTensor& t) { return t.name != kNoName; });
  std::vector<GraphEdge> outputs;
  for (size_t i = 0; i < made.size(); ++i) {
    // Among tensors with names one without is left out of the model.
    if (named && made[i].name == kNoName) continue;
    outputs.push_back({op.name, static_cast<int32_t>(i)});
  }
  BeginCompiled(graph, number, json);
  EdgesJson(graph, "inputs", op.inputs, json);
  EdgesJson(graph, "outputs", outputs, json);
  json.EndObject();
}

void PassesJson(std::string_view key, const std::vector<FusionPass>& passes,
                JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const FusionPass& pass : passes) {
    json.BeginObject().Key("pass").Text(pass.name);
    json.Key("effect_times").Int(pass.effects);
    json.Key("match_times").Int(pass.matches);
    json.Key("repository_hit_times");
    pass.repository_hits ? json.Int(*pass.repository_hits) : json.Null();
    json.EndObject();
  }
  json.EndArray();
}

void SwitchesJson(std::string_view key,
                  const std::vector<FusionSwitch::Pass>& passes,
                  JsonWriter& json) {
  json.Key(key).BeginArray();
  for (const FusionSwitch::Pass& pass : passes) {
    json.BeginObject().Key("pass").Text(pass.name);
    json.Key("on").Bool(pass.on).EndObject();
  }
  json.EndArray();
}

}  // namespace

void BeginGraphJson(std::string_view action, JsonWriter& json) {
  json.BeginObject().Key("schema").Text("assay.graph/1");
  json.Key("action").Text(action);
}

void GraphJson(const Graph& graph, JsonWriter& json) {
  json.Key("file").Text(graph.file).Key("kind").Text(graph.kind);
  json.Key("name").TextOrNull(graph.Text(graph.name));
  json.Key("warnings").BeginArray();
  for (const std::string& warning : graph.warnings) json.Text(warning);
  for (const Error& fault : graph.faults) {
    json.Text(fmt::format("{}: {}", fault.Where(), fault.what));
  }
  json.EndArray();
}

void ListJson(const Graph& graph, const std::vector<uint32_t>& operators,
              JsonWriter& json) {
  json.Key("total").Uint(graph.operators.size()).Key("types").BeginArray();
  for (const TypeCount& entry : CountTypes(graph)) {
    json.BeginObject().Key("type").Text(graph.Text(entry.type));
    json.Key("count").Uint(entry.count).EndObject();
  }
  json.EndArray();
  EdgesJson(
      graph, "outputs",
      graph.parts.empty() ? std::vector<GraphEdge>{} : graph.parts[0].outputs,
      json);
  constexpr size_t kUsual = 320;  // bytes of an operator
  json.Expect(kUsual * operators.size());
  json.Key("operators").BeginArray();
  for (const uint32_t i : operators) FlowJson(graph, i, json);
  json.EndArray();
}

void GroupsJson(const Graph& graph, const std::vector<FusionGroup>& groups,
                JsonWriter& json) {
  json.Key("groups").BeginArray();
  for (const FusionGroup& group : groups) {
    json.BeginObject().Key("kind").Text(group.kind);
    json.Key("l1").TextOrNull(graph.Text(group.l1));
    OperatorsJson(graph, "operators", group.operators, json);
    NamesJson(graph, "originals", group.originals, json);
    NamesJson(graph, "passes", group.passes, json);
    json.EndObject();
  }
  json.EndArray();
}

void FusionResultJson(const std::vector<GraphFusions>& graphs,
                      JsonWriter& json) {
  json.Key("graphs").BeginArray();
  for (const GraphFusions& graph : graphs) {
    json.BeginObject().Key("graph").TextOrNull(graph.graph);
    PassesJson("graph_fusion", graph.graph_passes, json);
    PassesJson("ub_fusion", graph.ub_passes, json);
    json.EndObject();
  }
  json.EndArray();
}

void FusionSwitchJson(const FusionSwitch& passes, JsonWriter& json) {
  json.Key("switch").BeginObject();
  SwitchesJson("graph_fusion", passes.graph_passes, json);
  SwitchesJson("ub_fusion", passes.ub_passes, json);
  json.EndObject().Key("warnings").BeginArray();
  for (const std::string& warning : passes.warnings) json.Text(warning);
  json.EndArray();
}

void DiffJson(const Graph& a, const Graph& b, const GraphDiff& diff,
              JsonWriter& json) {
  GraphJson(a, json.Key("a").BeginObject());
  GraphJson(b, json.EndObject().Key("b").BeginObject());
  json.EndObject().Key("equal").Bool(!diff.Different());
  json.Key("similarity").Real(diff.Similarity());
  json.Key("same_name").Uint(diff.same_name);
  json.Key("judged").Uint(diff.judged).Key("judged_equal").Uint(diff.equal);
  OperatorsJson(a, "only_a", diff.only_a, json);
  OperatorsJson(b, "only_b", diff.only_b, json);
  json.Key("changed").BeginArray();
  for (const ChangedOperator& op : diff.changed) {
    BeginOperator(a, op.a, json).Key("changes").BeginArray();
    for (const GraphChange& change : op.changes) {
      json.BeginObject().Key("what").Text(change.what);
      json.Key("a").TextOrNull(change.a).Key("b").TextOrNull(change.b);
      json.EndObject();
    }
    json.EndArray().EndObject();
  }
  json.EndArray();
}

void NeighbourhoodJson(const Graph& graph, const Neighbourhood& around,
                       JsonWriter& json) {
  const auto name = [&](uint32_t i) {
    return graph.Text(graph.operators[i].name);
  };
  json.Key("centre").Text(name(around.centre));
  json.Key("cut").Bool(around.cut);
  OperatorsJson(graph, "operators", around.operators, json);
  json.Key("edges").BeginArray();
  for (const Neighbourhood::Edge& edge : around.edges) {
    json.BeginObject().Key("from").Text(name(edge.from));
    json.Key("output");
    edge.output < 0 ? json.Null() : json.Int(edge.output);
    json.Key("to").Text(name(edge.to));
    json.Key("input").Int(edge.input).EndObject();
  }
  json.EndArray();
}

}  // namespace assay
