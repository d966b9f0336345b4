#include "app/graph_actions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/graph_json.h"
#include "app/graph_view.h"
#include "app/operator_view.h"
#include "base/delete_later.h"
#include "base/output_file.h"
#include "base/text.h"
#include "graphs/graph_kind.h"
#include "pipeline/graph_select.h"
#include "reports/run_file.h"

namespace assay {
namespace {

constexpr int kLevels = 2;
constexpr size_t kHead = 4096;
constexpr int kTrouble = 2;

void Talk(const Graph& graph) {
  for (const std::string& warning : graph.warnings) {
    fmt::print(stderr, "note: {}: {}\n", graph.file, warning);
  }
  for (const Error& fault : graph.faults) {
    fmt::print(stderr, "{}", fault.Text());
  }
}

// A graph with faults is shown, as far as it goes, and is trouble.
int CodeOf(const Graph& graph) { return graph.faults.empty() ? 0 : kTrouble; }

Result<LargeOwner<const Graph>> Open(const std::string& path) {
  ASSIGN_OR_RETURN(Graph graph, OpenGraph(path));
  Talk(graph);
  return LargeOwner<const Graph>(new Graph(std::move(graph)));
}

// Prints what `fill` puts into the document.
template <typename Fill>
void PrintJson(std::string_view action, const Fill& fill) {
  JsonWriter json;
  BeginGraphJson(action, json);
  fill(json);
  fmt::print("{}\n", json.EndObject().text());
}

Result<NamedOperators> Named(const Graph& graph, const std::string& name) {
  ASSIGN_OR_RETURN(NamedOperators found, FindOperators(graph, name));
  if (!found.exact) {
    const NameId id = graph.operators[found.operators[0]].name;
    fmt::print(stderr, "note: '{}' is read as '{}'\n", name, graph.Text(id));
  }
  return found;
}

bool IsFolder(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::is_directory(path, ignored);
}

// Whether the action has two arguments and both are `kind`.
template <typename Kind>
bool AreTwo(const Args& args, const Kind& kind) {
  return args.positionals.size() == 3 && kind(args.positionals[1]) &&
         kind(args.positionals[2]);
}

// One file of `fusion`, into a document or onto the terminal.
struct FusionFile {
  std::string path, name, head;
  JsonWriter* json = nullptr;
  int code = 0;

  void Begin(std::string_view kind) const {
    json->Key("file").Text(path).Key("kind").Text(kind);
  }
};

Status ShowResult(const FusionFile& file) {
  ASSIGN_OR_RETURN(const auto graphs, ReadFusionResult(file.path));
  if (file.json == nullptr) {
    fmt::print("{}", FusionResultText(graphs));
    return Done{};
  }
  file.Begin("fusion-result");
  FusionResultJson(graphs, *file.json);
  return Done{};
}

Status ShowSwitch(const FusionFile& file) {
  ASSIGN_OR_RETURN(const FusionSwitch passes, ReadFusionSwitch(file.path));
  for (const std::string& warning : passes.warnings) {
    fmt::print(stderr, "note: {}: {}\n", file.path, warning);
  }
  if (file.json == nullptr) {
    fmt::print("{}", FusionSwitchText(passes));
    return Done{};
  }
  file.Begin("fusion-switch");
  FusionSwitchJson(passes, *file.json);
  return Done{};
}

Status ShowGroups(FusionFile& file) {
  ASSIGN_OR_RETURN(const auto opened, Open(file.path));
  const Graph& graph = *opened;
  file.code = CodeOf(graph);
  const auto groups = FindFusionGroups(graph);
  if (file.json == nullptr) {
    fmt::print("{}", GroupsText(graph, groups));
    return Done{};
  }
  GraphJson(graph, *file.json);
  GroupsJson(graph, groups, *file.json);
  return Done{};
}

Status ShowFusion(FusionFile& file) {
  ASSIGN_OR_RETURN(const InputFile input, InputFile::Open(file.path));
  ASSIGN_OR_RETURN(file.head, input.Head(kHead));
  file.name = std::filesystem::path(file.path).filename().string();
  if (IsFusionResult(file.name, file.head)) return ShowResult(file);
  if (IsFusionSwitch(file.name, file.head)) return ShowSwitch(file);
  return ShowGroups(file);
}

}  // namespace

Result<int> GraphLs(const Args& args) {
  ASSIGN_OR_RETURN(const auto opened, Open(args.positionals[1]));
  const Graph& graph = *opened;
  const OperatorFilter filter = {args.Text("name"), args.Text("type"),
                                 args.Text("pass"), args.Text("kernel")};
  ASSIGN_OR_RETURN(const auto operators, SelectOperators(graph, filter));
  if (operators.empty()) {
    const std::string near = NearestFilter(graph, filter);
    fmt::print(stderr, "note: no operator is like that{}{}\n",
               near.empty() ? "" : "; ", near);
  }
  if (args.Has("json")) {
    PrintJson("ls", [&](JsonWriter& json) {
      GraphJson(graph, json);
      ListJson(graph, operators, json);
    });
    return CodeOf(graph);
  }
  if (filter.empty()) fmt::print("{}", TypeCountsText(graph));
  fmt::print("{}", OperatorLines(graph, operators));
  return CodeOf(graph);
}

Result<int> GraphInfo(const Args& args) {
  ASSIGN_OR_RETURN(const auto opened, Open(args.positionals[1]));
  const Graph& graph = *opened;
  ASSIGN_OR_RETURN(const auto found, Named(graph, args.positionals[2]));
  const GraphIndex index(graph);
  if (args.Has("json")) {
    PrintJson("info", [&](JsonWriter& json) {
      GraphJson(graph, json);
      InfoJson(graph, index, found.operators, json);
    });
    return CodeOf(graph);
  }
  for (const uint32_t i : found.operators) {
    fmt::print("{}", OperatorText(graph, index, i, args.Has("all")));
  }
  return CodeOf(graph);
}

Result<int> GraphFusion(const Args& args) {
  if (AreTwo(args, IsRunFile) || AreTwo(args, IsFolder)) {
    return GraphBlame(args);
  }
  if (args.Has("out") || args.Has("graph")) {
    return Usage("-o and --graph of 'fusion' go with two runs");
  }
  JsonWriter json;
  BeginGraphJson("fusion", json);
  json.Key("files").BeginArray();
  const bool as_json = args.Has("json");
  int code = 0;
  for (size_t i = 1; i < args.positionals.size(); ++i) {
    FusionFile file{.path = args.positionals[i],
                    .json = as_json ? &json : nullptr};
    if (!as_json && args.positionals.size() > 2) {
      fmt::print("{}{}:\n", i > 1 ? "\n" : "", file.path);
    }
    if (as_json) json.BeginObject();
    RETURN_IF_ERROR(ShowFusion(file));
    code = std::max(code, file.code);
    if (as_json) json.EndObject();
  }
  if (as_json) fmt::print("{}\n", json.EndArray().EndObject().text());
  return code;
}

Result<int> GraphDifference(const Args& args) {
  ASSIGN_OR_RETURN(const auto opened_a, Open(args.positionals[1]));
  const Graph& a = *opened_a;
  ASSIGN_OR_RETURN(const auto opened_b, Open(args.positionals[2]));
  const Graph& b = *opened_b;
  const GraphDiff diff = DiffGraphs(a, b);
  if (args.Has("json")) {
    PrintJson("diff", [&](JsonWriter& json) { DiffJson(a, b, diff, json); });
  } else {
    fmt::print("{}", DiffText(a, b, diff));
  }
  const int trouble = std::max(CodeOf(a), CodeOf(b));
  return trouble > 0 ? trouble : diff.Different() ? 1 : 0;
}

Result<int> GraphSvg(const Args& args) {
  ASSIGN_OR_RETURN(const int levels, args.Count("levels", kLevels));
  std::optional<OutputFile> out;
  if (args.Has("out")) {
    ASSIGN_OR_RETURN(out, OutputFile::Create(args.Text("out")));
  }
  ASSIGN_OR_RETURN(const auto opened, Open(args.positionals[1]));
  const Graph& graph = *opened;
  ASSIGN_OR_RETURN(const auto found, Named(graph, args.positionals[2]));
  const GraphIndex index(graph);
  const auto around = FindNeighbours(graph, index, found.operators[0], levels);
  if (around.cut) {
    fmt::print(stderr, "note: only the nearest {} are drawn\n",
               Counted(around.operators.size(), "operator"));
  }
  if (args.Has("json")) {
    PrintJson("svg", [&](JsonWriter& json) {
      GraphJson(graph, json);
      NeighbourhoodJson(graph, around, json);
    });
    return CodeOf(graph);
  }
  ASSIGN_OR_RETURN(const std::string svg, DrawSvg(DotText(graph, around)));
  if (!out) {
    fmt::print("{}", svg);
    return CodeOf(graph);
  }
  RETURN_IF_ERROR(out->Append(svg));
  RETURN_IF_ERROR(out->Commit());
  return CodeOf(graph);
}

}  // namespace assay
