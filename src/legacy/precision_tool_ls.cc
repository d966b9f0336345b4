// ls: operators of the device's graphs, by name, type, fusion pass, kernel.
#include <fmt/format.h>
#include <re2/re2.h>

#include "legacy/operator_lines.h"
#include "legacy/panel.h"
#include "legacy/precision_tool.h"
#include "pipeline/graph_select.h"

namespace assay {
namespace {

constexpr OldOption kOptions[] = {
    {"-n", OldOption::kOne, "operators whose name has this text in it"},
    {"-t", OldOption::kOne, "operators whose type has this text in it"},
    {"-f", OldOption::kOne, "operators that this fusion pass made"},
    {"-k", OldOption::kOne, "operators whose kernel has this text in it"},
};

// How many of each type, in the order of their first operator.
TextTable CountTable(const std::string& id, const std::vector<Graph>& graphs) {
  std::vector<std::pair<std::string_view, size_t>> counts;
  std::map<std::string_view, size_t> place;
  for (const Graph& graph : graphs) {
    for (const Operator& op : graph.operators) {
      const auto [at, fresh] =
          place.emplace(graph.Text(op.type), counts.size());
      if (fresh) counts.emplace_back(at->first, 0);
      ++counts[at->second].second;
    }
  }
  TextTable table{.title = id, .columns = {"OpType", "Count"}};
  for (const auto& [type, count] : counts) {
    table.rows.push_back({std::string(type), fmt::format("{}", count)});
  }
  return table;
}

Result<TextLines> Found(const std::vector<Graph>& graphs,
                        const OperatorFilter& filter, PromptLabels labels) {
  TextLines lines;
  for (const Graph& graph : graphs) {
    ASSIGN_OR_RETURN(const auto operators, SelectOperators(graph, filter));
    for (const uint32_t i : operators) {
      lines.push_back(OperatorLine(graph, graph.operators[i], labels));
    }
  }
  return lines;
}

Status ListRun(Prompt& prompt, const WorkFolder::Run& run,
               const OperatorFilter& filter) {
  const RunGraphs opened = OpenRunGraphs(run);
  for (const Error& error : opened.errors) prompt.Complain(error);
  if (opened.graphs.empty()) {
    prompt.talk(fmt::format("{}: no graph to read", run.id));
    return Done{};
  }
  if (filter.empty()) {
    prompt.print(Joined(TableLines(CountTable(run.id, opened.graphs))));
    return Done{};
  }
  ASSIGN_OR_RETURN(const TextLines lines,
                   Found(opened.graphs, filter, prompt.labels));
  if (!lines.empty()) {
    prompt.print(prompt.labels == PromptLabels::kSeed ? Joined(lines)
                                                      : Panel(run.id, lines));
    return Done{};
  }
  std::string near;
  for (const Graph& graph : opened.graphs) {
    if (near.empty()) near = NearestFilter(graph, filter);
  }
  prompt.talk(fmt::format("{}: no operator is like that{}{}", run.id,
                          near.empty() ? "" : "; ", near));
  return Done{};
}

Result<int> Run(Prompt& prompt, const OldArguments& args) {
  const OperatorFilter filter = {re2::RE2::QuoteMeta(args.Text("-n")),
                                 args.Text("-t"), args.Text("-f"),
                                 args.Text("-k")};
  if (prompt.folder.runs.empty()) {
    return NotFound("no run of a device in this folder").At(prompt.folder.root);
  }
  for (const WorkFolder::Run& run : prompt.folder.runs) {
    RETURN_IF_ERROR(ListRun(prompt, run, filter));
  }
  return 0;
}

}  // namespace

extern constinit const PromptCommand kPromptLs = {
    .name = "ls",
    .usage = "ls [-n NAME] [-t TYPE] [-f PASS] [-k KERNEL]",
    .sentence = "Lists operators; without an option, how many of each type.",
    .options = kOptions,
    .run = Run,
};

}  // namespace assay
