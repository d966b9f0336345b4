// ac: everything that can be checked at once.
#include <fmt/format.h>

#include <map>

#include "base/text.h"
#include "graphs/fusion_result.h"
#include "legacy/array_values.h"
#include "legacy/find_array.h"
#include "legacy/operator_lines.h"
#include "legacy/panel.h"
#include "legacy/precision_tool.h"
#include "pipeline/graph_diff.h"
#include "pipeline/overflow_entries.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr size_t kRecords = 3;

constexpr OldOption kOptions[] = {
    {"-c", OldOption::kNothing, "compare the whole network first"},
    {"-l", OldOption::kOne, "overflow records and bad operators shown [3]"},
};

TextTable PassTable(std::string_view kind, const GraphFusions& graph,
                    const std::vector<FusionPass>& passes) {
  TextTable table{.title = fmt::format("{} [GraphID: {}]", kind, graph.graph),
                  .columns = {"Fusion Name", "Effect times"}};
  for (const FusionPass& pass : passes) {
    if (pass.effects == 0) continue;
    table.rows.push_back({pass.name, fmt::format("{}", pass.effects)});
  }
  return table;
}

std::string StatusText(const UnitRecord& unit) {
  return fmt::format("{}", fmt::join(unit.status, " "));
}

// Tensors of the operator that a record is about, as they were dumped.
void AddTensors(Prompt& prompt, const std::string& path, TextLines& lines) {
  const DeviceFile file{.path = path, .name = std::string(NameIn(path))};
  const auto tensors = TensorsOf(prompt.folder, "overflow", file, prompt.open);
  if (!tensors) {
    lines.push_back(fmt::format(" ├─ {}: {}", file.name, tensors.error().what));
    return;
  }
  for (const FoundArray& array : *tensors) {
    const auto spec = ReadSpec(array.View(), *prompt.stop);
    lines.push_back(" ├─ " + array.name);
    lines.push_back("  └─ " + (spec ? SpecText(*spec) : spec.error().what));
  }
}

TextLines RecordLines(Prompt& prompt, const std::string& root,
                      const OverflowEntry& entry) {
  TextLines lines;
  lines.push_back(
      entry.op.empty()
          ? fmt::format("[unknown operator] {}", entry.why)
          : fmt::format("[{}][{}] {}", entry.type, entry.task, entry.op));
  lines.push_back(fmt::format(" - [{}][Status:{}][TaskId:{}] {}",
                              entry.unit.unit, StatusText(entry.unit),
                              entry.task, ListText(entry.meanings)));
  lines.push_back(
      fmt::format(" - First overflow file timestamp [{}] -", entry.time));
  if (!entry.dump.empty()) {
    AddTensors(prompt, fmt::format("{}/{}", root, entry.dump), lines);
  }
  return lines;
}

// Casts that lose more than digits: float32 to int32.
void PrintCasts(Prompt& prompt, const WorkFolder::Run& run,
                const std::vector<Graph>& graphs) {
  TextLines casts;
  for (const Graph& graph : graphs) {
    for (const Operator& op : graph.operators) {
      if (graph.Text(op.type) != "Cast" || op.input_tensors.empty() ||
          op.output_tensors.empty()) {
        continue;
      }
      if (graph.Text(op.input_tensors[0].dtype) == "DT_FLOAT" &&
          graph.Text(op.output_tensors[0].dtype) == "DT_INT32") {
        casts.emplace_back(graph.Text(op.name));
      }
    }
  }
  if (casts.empty()) return;
  prompt.print(Panel(run.id, {fmt::format("[Cast] DT_FLOAT -> DT_INT32: {}",
                                          ListText(casts))}));
}

// Graphs of two runs that are the same network: in the order of their numbers.
void PrintSimilarity(Prompt& prompt, const Graph& a, const Graph& b) {
  const GraphDiff diff = DiffGraphs(a, b);
  for (const ChangedOperator& changed : diff.changed) {
    TextLines lines = {
        OperatorLine(a, a.operators[changed.a], PromptLabels::kTool)};
    for (const GraphChange& change : changed.changes) {
      lines.push_back(fmt::format("  {}: {} -> {}", change.what,
                                  change.a.empty() ? "-" : change.a,
                                  change.b.empty() ? "-" : change.b));
    }
    prompt.print(Panel("", lines));
  }
  prompt.print(fmt::format("Similarity: {} / {} ({} and {})\n", diff.equal,
                           diff.judged, a.file, b.file));
}

Result<int> Run(Prompt& prompt, const OldArguments& args) {
  ASSIGN_OR_RETURN(const size_t most, CountOf(args, "-l", kRecords));
  int status = 0;
  // One part that fails does not hide the others.
  const auto part = [&](const Status& done) {
    if (done || done.error().code == ErrorCode::kInterrupted) return;
    prompt.Complain(done.error());
    status = 2;
  };
  if (args.Has("-c")) {
    const auto compared = CompareWholeNetwork(prompt, most);
    part(compared ? Status(Done{}) : Status(compared.error()));
    if (compared) status = *compared;
  } else {
    part(PrintWorstOperators(prompt, TablesFolder(prompt), most));
  }
  part(PrintFusions(prompt));
  part(PrintOverflows(prompt, most));
  part(PrintGraphChecks(prompt));
  if (prompt.stop->load()) return Interrupted();
  return status;
}

}  // namespace

Status PrintFusions(Prompt& prompt) {
  if (prompt.folder.fusion.empty()) return Done{};
  ASSIGN_OR_RETURN(const auto graphs, ReadFusionResult(prompt.folder.fusion));
  for (const GraphFusions& graph : graphs) {
    const TextLines tables =
        Beside(TableLines(PassTable("Graph Fusion", graph, graph.graph_passes)),
               TableLines(PassTable("UB Fusion", graph, graph.ub_passes)));
    prompt.print(Panel(fmt::format("GraphID:{}", graph.graph), tables));
  }
  return Done{};
}

Status PrintOverflows(Prompt& prompt, size_t most) {
  const std::string& folder = prompt.folder.overflow;
  if (folder.empty()) return Done{};
  ASSIGN_OR_RETURN(const OverflowFiles files,
                   OverflowFiles::Find(NewestDump(folder)));
  const OverflowOptions options{.path = folder,
                                .open = prompt.open,
                                .measure = prompt.measure,
                                .first = 0};
  const OverflowEntries found = ReadOverflows(files, options, *prompt.stop);
  size_t shown = 0;
  for (const OverflowEntry& entry : found.records) {
    if (shown++ == most) break;
    prompt.print(Panel("", RecordLines(prompt, files.root(), entry)));
  }
  if (found.records.size() > most) {
    prompt.talk(fmt::format("{} more; -l shows them",
                            Counted(found.records.size() - most, "record")));
  }
  for (const Error& error : found.errors) prompt.Complain(error);
  return Done{};
}

Status PrintGraphChecks(Prompt& prompt) {
  std::vector<std::vector<Graph>> all;
  for (const WorkFolder::Run& run : prompt.folder.runs) {
    all.push_back(OpenRunGraphs(run).graphs);  // `ls` tells what is wrong
    PrintCasts(prompt, run, all.back());
  }
  for (size_t run = 1; run < all.size(); ++run) {
    for (size_t i = 0; i < std::min(all[0].size(), all[run].size()); ++i) {
      PrintSimilarity(prompt, all[0][i], all[run][i]);
    }
  }
  return Done{};
}

extern constinit const PromptCommand kPromptAc = {
    .name = "ac",
    .usage = "ac [-c] [-l N]",
    .sentence =
        "Checks all: bad operators, fusion, overflow, casts, other graphs.",
    .options = kOptions,
    .run = Run,
};

}  // namespace assay
