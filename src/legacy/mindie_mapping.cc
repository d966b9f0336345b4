// The two tables that MindIE-Torch writes:
//   mindie_torch_op_mapping.json  [{"rt_layer": L, "jit_node"|"fx_node": N}]
//   mindie_rt_op_mapping.json     [{"id": I, "rt_layer": L, "ge_op": O,
//                                   "fusion_op": F}]   F only where O is fused
// A node is TorchScript's line, with its scope before '#', or FX's path.
#include "legacy/mindie_mapping.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/input_file.h"
#include "base/text.h"

namespace assay {
namespace {

using Json = nlohmann::json;

Result<Json> ReadTable(const std::string& path) {
  ASSIGN_OR_RETURN(const InputFile file, InputFile::Open(path));
  ASSIGN_OR_RETURN(const std::string text, file.Text(0, file.size()));
  Json json = Json::parse(text, nullptr, false);
  if (json.is_array()) return json;
  return Corrupt("it is no list of operators").At(path);
}

std::string TextOf(const Json& item, const char* key) {
  const auto found = item.is_object() ? item.find(key) : item.end();
  const bool there = item.is_object() && found != item.end();
  return there && found->is_string() ? found->get<std::string>() : "";
}

// "%9 = aten::relu(%3), scope: __module.a/__module.a.relu # file": "a.relu".
std::string ScopeOfScript(std::string_view node) {
  constexpr std::string_view kModule = "__module.";
  const size_t end = node.find('#');
  if (node.find("scope:") == node.npos || end == node.npos) return "";
  node = node.substr(0, end);
  const size_t at = node.rfind(kModule);
  if (at == node.npos) return "";
  node.remove_prefix(at + kModule.size());
  return std::string(node.substr(0, node.find_last_not_of(' ') + 1));
}

// "/layer1/0/relu/relu_1": "layer1.0.relu".
std::string ScopeOfFx(std::string_view node) {
  const auto parts = Split(node, '/');
  std::string scope;
  for (size_t i = 1; i + 1 < parts.size(); ++i) {
    if (i > 1) scope += '.';
    scope += parts[i];
  }
  std::ranges::replace(scope, '_', '.');
  return scope;
}

struct Nodes {
  std::map<std::string, std::string> scopes;  // by rt_layer
  char separator = '.';
};

Nodes ReadNodes(const Json& table) {
  Nodes nodes;
  for (const Json& item : table) {
    const std::string script = TextOf(item, "jit_node");
    const std::string fx = TextOf(item, "fx_node");
    if (!fx.empty()) nodes.separator = '_';
    nodes.scopes[TextOf(item, "rt_layer")] =
        fx.empty() ? ScopeOfScript(script) : ScopeOfFx(fx);
  }
  return nodes;
}

int64_t NumberOf(const Json& item) {
  const auto found = item.is_object() ? item.find("id") : item.end();
  const bool there = item.is_object() && found != item.end();
  return there && found->is_number_integer() ? found->get<int64_t>() : 0;
}

// The last of the operators that were fused speaks for all.
std::vector<MindieOperator> Operators(Json table, const Nodes& nodes) {
  std::stable_sort(
      table.begin(), table.end(),
      [](const Json& a, const Json& b) { return NumberOf(a) < NumberOf(b); });
  std::vector<MindieOperator> operators;
  for (const Json& item : table) {
    std::string name = TextOf(item, "fusion_op");
    if (name.empty()) name = TextOf(item, "ge_op");
    const auto scope = nodes.scopes.find(TextOf(item, "rt_layer"));
    if (operators.empty() || operators.back().name != name) {
      operators.push_back({name, ""});
    }
    operators.back().scope = scope == nodes.scopes.end() ? "" : scope->second;
  }
  return operators;
}

bool HoldsAnother(const std::string& scope, char separator,
                  const std::vector<MindieOperator>& all) {
  return std::ranges::any_of(all, [&](const MindieOperator& other) {
    return other.scope.starts_with(scope + separator);
  });
}

}  // namespace

Result<std::vector<MindieOperator>> ReadMindieMapping(
    const std::string& folder) {
  ASSIGN_OR_RETURN(const Json torch,
                   ReadTable(folder + "/mindie_torch_op_mapping.json"));
  ASSIGN_OR_RETURN(Json runtime,
                   ReadTable(folder + "/mindie_rt_op_mapping.json"));
  const Nodes nodes = ReadNodes(torch);
  std::vector<MindieOperator> all = Operators(std::move(runtime), nodes), kept;
  std::erase_if(all, [](const auto& op) { return op.scope.empty(); });
  for (const MindieOperator& op : all) {
    if (!HoldsAnother(op.scope, nodes.separator, all)) kept.push_back(op);
  }
  return kept;
}

}  // namespace assay
