#include "pipeline/choose_graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_set>

#include "base/text.h"
#include "graphs/graph_kind.h"
#include "graphs/saved_model.h"
#include "pairing/by_rule.h"
#include "pairing/names.h"
#include "sources/array_name.h"
#include "sources/tree.h"

namespace assay {
namespace {

namespace fs = std::filesystem;
using GraphRef = std::shared_ptr<const Graph>;
using Say = std::function<void(const std::string&)>;

// The graph as it runs: the last of the many that a compiler writes.
bool IsBuilt(std::string_view file) {
  std::string name = Lower(NameIn(file));
  return name.find("_build.") != std::string::npos ||
         name.starts_with("dynamo_original");
}

std::vector<std::string> FilesIn(const std::string& folder) {
  std::vector<std::string> files;
  for (const std::string& name : NamesIn(folder, EntryKind::kFile)) {
    if (HasGraphName(name) || name.ends_with(".json") ||
        name.ends_with(".pbtxt")) {
      files.push_back(fmt::format("{}/{}", WithoutSlashes(folder), name));
    }
  }
  return BuiltGraphs(std::move(files));
}

// JSON that lies there may be the rules of a quantiser: a compiler's graph has
// its operators numbered.
bool IsOther(const Graph& graph) {
  return !HasGraphName(NameIn(graph.file)) && graph.operators.size() > 1 &&
         std::ranges::all_of(graph.operators,
                             [](const Operator& op) { return op.id == 0; });
}

// One that nobody asked for may be damaged; the comparison does without it.
Result<std::vector<GraphRef>> Load(const std::vector<std::string>& files,
                                   bool asked, const Say& say) {
  std::vector<GraphRef> graphs;
  for (const std::string& file : files) {
    Result<Graph> graph = OpenGraph(file);
    if (!graph && asked) return std::move(graph).error();
    if (!graph) {
      say(fmt::format("  not used: {}: {}", file, graph.error().what));
      continue;
    }
    if (!asked && IsOther(*graph)) continue;
    graphs.push_back(std::make_shared<const Graph>(*std::move(graph)));
  }
  return graphs;
}

// One that was asked for has to be a graph that can run; an input that nothing
// makes only has no partner.
Status Check(const std::vector<GraphRef>& graphs, bool asked, const Say& say) {
  for (const GraphRef& graph : graphs) {
    for (const std::string& warning : graph->warnings) {
      say(fmt::format("  {}: {}", graph->file, warning));
    }
    for (const Error& fault : graph->faults) {
      if (asked && fault.code != ErrorCode::kNotFound) return fault;
      say(fmt::format("  {}: {}", fault.Where(), fault.what));
    }
  }
  return Done{};
}

// How well a graph fits a model of the dump.
struct Fit {
  bool named = false;     // the model's folder is called like it
  size_t held = 0;        // dumped operators that it has
  bool iterates = false;  // it reads the data: the main one of several
  bool tells = false;     // of what they were made: not every form has room
  auto operator<=>(const Fit&) const = default;
};

using Operators = std::unordered_set<std::string>;  // normalised names

bool IsNamed(const Graph& graph, std::string_view model) {
  return !model.empty() &&
         std::ranges::any_of(graph.parts, [&](const Graph::Part& part) {
           return BelongsTo(model, graph.Text(part.name));
         });
}

Fit FitOf(const Graph& graph, std::string_view model, const Operators& dumped) {
  Fit fit{.named = IsNamed(graph, model)};
  std::unordered_set<std::string> seen;
  for (const Operator& op : graph.operators) {
    fit.iterates |= graph.Text(op.type).starts_with("Iterator");
    fit.tells |= op.originals.has_value();
    std::string name = Normalised(graph.Text(op.name));
    if (dumped.contains(name) && seen.insert(std::move(name)).second) {
      ++fit.held;
    }
  }
  return fit;
}

using Models = std::map<NameId, Operators>;  // what was dumped of each
Models ModelsOf(const Dump& dump) {
  std::map<NameId, std::set<NameId>> ids;
  for (const TensorInfo& t : dump.tensors) ids[t.id.graph].insert(t.id.op);
  Models models;
  for (const auto& [model, ops] : ids) {
    for (const NameId op : ops) {
      models[model].insert(Normalised(dump.names[op]));
    }
  }
  return models;
}

std::string WhyChosen(const Fit& fit, std::string_view model, size_t dumped,
                      size_t candidates) {
  std::string why =
      fmt::format("it has {} of {} dumped operators", fit.held, dumped);
  if (fit.named) why += fmt::format(", and the model {} is its name", model);
  if (candidates > 1) why += fmt::format("; one of {} graphs", candidates);
  return why;
}

// The best graph of each model; a graph that has none of the dumped operators
// belongs to something else, and one that is called like another model to that:
// models have operators of the same names.
void Choose(const std::vector<GraphRef>& all, std::string_view side, Dump& dump,
            const Say& say) {
  const Models models = ModelsOf(dump);
  const auto is_of_another = [&](const Graph& graph, NameId mine) {
    return !dump.names[mine].empty() &&
           std::ranges::any_of(models, [&](const auto& model) {
             return IsNamed(graph, dump.names[model.first]);
           });
  };
  for (const auto& [model, ops] : models) {
    const GraphRef* best = nullptr;
    Fit best_fit;
    for (const GraphRef& graph : all) {
      const Fit fit = FitOf(*graph, dump.names[model], ops);
      if (fit.held == 0) continue;
      if (!fit.named && is_of_another(*graph, model)) continue;
      if (best == nullptr || fit > best_fit) {
        best = &graph, best_fit = fit;
      }
    }
    if (best == nullptr) continue;
    say(fmt::format(
        "{} graph: {} ({})", side, (*best)->file,
        WhyChosen(best_fit, dump.names[model], ops.size(), all.size())));
    dump.graph_of[model] = *best;
    if (std::find(dump.graphs.begin(), dump.graphs.end(), *best) ==
        dump.graphs.end()) {
      dump.graphs.push_back(*best);
    }
  }
}

// Dumps that say themselves which graphs are theirs.
bool KnowsItsGraphs(const Dump& dump) {
  return dump.kind == "torchair-ge" || dump.kind == "model-dump";
}

}  // namespace

bool IsGraphFolder(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) && InsideSavedModel(path) == path;
}

std::vector<std::string> BuiltGraphs(std::vector<std::string> files) {
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  // graph.txt.json is graph.txt again, as a converter wrote it.
  std::erase_if(files, [all = files](const std::string& f) {
    return f.ends_with(".json") &&
           std::binary_search(all.begin(), all.end(),
                              f.substr(0, f.size() - strlen(".json")));
  });
  const bool some = std::any_of(files.begin(), files.end(), IsBuilt);
  std::erase_if(files,
                [&](const std::string& f) { return some && !IsBuilt(f); });
  return files;
}

Status ChooseGraphs(const std::string& asked, std::string_view side, Dump& dump,
                    const Say& say) {
  const bool folder = IsGraphFolder(asked);
  std::vector<std::string> files;
  if (folder) {
    files = FilesIn(asked);
    if (files.empty()) {
      return NotFound("no graph file in this folder").At(asked);
    }
  } else if (!asked.empty()) {
    files = {asked};
  } else {
    files = BuiltGraphs(dump.graph_files);
  }
  ASSIGN_OR_RETURN(const std::vector<GraphRef> graphs,
                   Load(files, !asked.empty(), say));
  RETURN_IF_ERROR(Check(graphs, !asked.empty() && !folder, say));
  if (!asked.empty() && !folder) {
    dump.graphs = graphs;
    say(fmt::format("{} graph: {} ({}, {}; asked for)", side, asked,
                    graphs[0]->kind,
                    Counted(graphs[0]->operators.size(), "operator")));
  } else if (KnowsItsGraphs(dump)) {
    dump.graphs = graphs;  // one of each rank and model
    for (const GraphRef& graph : graphs) {
      say(fmt::format("{} graph: {}", side, graph->file));
    }
  } else {
    Choose(graphs, side, dump, say);
  }
  if (folder && dump.graphs.empty()) {
    return NotFound("no graph in this folder has an operator of the dump")
        .At(asked);
  }
  return Done{};
}

void NameByGraphs(Dump& dump) {
  if (dump.kind != "ascend") return;
  for (const GraphRef& graph : dump.graphs) {
    std::unordered_map<std::string, const Operator*> ops;
    for (const Operator& op : graph->operators) {
      ops.emplace(Normalised(graph->Text(op.name)), &op);
    }
    std::unordered_map<NameId, const Operator*> known;
    const auto other = [&](NameId model) {
      const auto found = dump.graph_of.find(model);
      return !dump.graph_of.empty() &&
             (found == dump.graph_of.end() || found->second != graph);
    };
    for (TensorInfo& t : dump.tensors) {
      if (t.id.order_from == OrderFrom::kGraph || other(t.id.graph)) continue;
      const auto [entry, is_new] = known.try_emplace(t.id.op, nullptr);
      if (is_new) {
        const auto found = ops.find(Normalised(dump.names[t.id.op]));
        if (found != ops.end()) entry->second = found->second;
      }
      const Operator* op = entry->second;
      if (op == nullptr) continue;
      t.id.op = dump.names.Intern(graph->Text(op->name));
      t.id.type = dump.names.Intern(graph->Text(op->type));
      t.id.order = op->id;
      t.id.order_from = OrderFrom::kGraph;
      if (t.id.port == Port::kNone) continue;
      t.name = dump.names.Intern(fmt::format("{}:{}:{}", graph->Text(op->name),
                                             Name(t.id.port), t.id.index));
    }
  }
}

void NameAsOutputs(Dump& dump) {
  if (dump.kind != "plain") return;
  for (TensorInfo& t : dump.tensors) {
    if (t.id.port != Port::kNone) continue;
    const std::string name(dump.names[t.id.op]);
    const auto output = ParseOutputName(name);
    if (!output) continue;
    t.id.op = dump.names.Intern(output->op);
    t.id.port = Port::kOutput;
    t.id.index = output->index;
    t.id.order = output->time;
    t.id.order_from = OrderFrom::kTimestamp;
  }
}

}  // namespace assay
