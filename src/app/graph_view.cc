#include "app/graph_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "pipeline/graph_select.h"

namespace assay {
namespace {

std::string NameOf(const Graph& graph, uint32_t op) {
  return Printable(graph.Text(graph.operators[op].name));
}

std::string PassLines(std::string_view title,
                      const std::vector<FusionPass>& passes) {
  std::string text;
  size_t width = 0, silent = 0;
  for (const FusionPass& pass : passes)
    width = std::max(width, pass.name.size());
  for (const FusionPass& pass : passes) {
    if (pass.effects == 0) {
      ++silent;
      continue;
    }
    text += fmt::format("    {:<{}}  effect {}  match {}", Printable(pass.name),
                        width, pass.effects, pass.matches);
    if (pass.repository_hits) {
      text += fmt::format("  repository {}", *pass.repository_hits);
    }
    text += '\n';
  }
  if (silent > 0) {
    text += fmt::format("    without effect: {}\n", silent);
  }
  if (passes.empty()) text = "    no pass\n";
  return fmt::format("  {}\n{}", title, text);
}

std::string SwitchLines(std::string_view title,
                        const std::vector<FusionSwitch::Pass>& passes) {
  std::string text = fmt::format("  {}\n", title);
  if (passes.empty()) text += "    as the compiler likes\n";
  for (const auto& pass : passes) {
    text += fmt::format("    {:<3}  {}\n", pass.on ? "on" : "off",
                        Printable(pass.name));
  }
  return text;
}

std::string OnlyLines(const Graph& graph, const std::vector<uint32_t>& only) {
  if (only.empty()) return "";
  return fmt::format("only in {}: {}\n", Printable(graph.file),
                     Counted(only.size(), "operator")) +
         OperatorLines(graph, only);
}

std::string Or(const std::string& text, std::string_view otherwise) {
  return text.empty() ? std::string(otherwise) : Printable(text);
}

}  // namespace

std::string NamesText(const Graph& graph, const std::vector<NameId>& names) {
  std::string text;
  for (const NameId id : names) {
    if (!text.empty()) text += ", ";
    text += Printable(graph.Text(id));
  }
  return text;
}

std::string TypeCountsText(const Graph& graph) {
  std::string text =
      fmt::format("{}: {}, {}\n", Printable(graph.file), graph.kind,
                  Counted(graph.operators.size(), "operator"));
  for (const TypeCount& entry : CountTypes(graph)) {
    text += fmt::format("{:>6}  {}\n", entry.count,
                        Printable(graph.Text(entry.type)));
  }
  return text;
}

std::string OperatorLines(const Graph& graph,
                          const std::vector<uint32_t>& operators) {
  std::string text;
  for (const uint32_t i : operators) {
    const Operator& op = graph.operators[i];
    text += fmt::format("[{}][{}] {}", Printable(graph.Text(op.type)),
                        NamesText(graph, op.passes), NameOf(graph, i));
    if (op.part > 0 && op.part < graph.parts.size()) {
      text += fmt::format("  (in {})",
                          Printable(graph.Text(graph.parts[op.part].name)));
    }
    text += '\n';
  }
  return text;
}

std::string GroupsText(const Graph& graph,
                       const std::vector<FusionGroup>& groups) {
  std::string text = Counted(groups.size(), "fusion group") + "\n";
  for (const FusionGroup& group : groups) {
    text += fmt::format("{}", group.kind);
    if (group.l1 != kNoName) {
      text += fmt::format(" {}", Printable(graph.Text(group.l1)));
    }
    text +=
        fmt::format("  made of {}\n", group.originals.empty()
                                          ? "nothing of the framework"
                                          : NamesText(graph, group.originals));
    for (const uint32_t i : group.operators) {
      text += "    " + OperatorLines(graph, {i});
    }
  }
  return text;
}

std::string FusionResultText(const std::vector<GraphFusions>& graphs) {
  std::string text;
  for (const GraphFusions& graph : graphs) {
    text += fmt::format("graph {}\n", Or(graph.graph, "without a number"));
    text += PassLines("graph fusion", graph.graph_passes);
    text += PassLines("UB fusion", graph.ub_passes);
  }
  return text;
}

std::string FusionSwitchText(const FusionSwitch& passes) {
  return "fusion switches; a pass that is named beats ALL\n" +
         SwitchLines("graph fusion", passes.graph_passes) +
         SwitchLines("UB fusion", passes.ub_passes);
}

std::string DiffText(const Graph& a, const Graph& b, const GraphDiff& diff) {
  std::string text =
      fmt::format("similarity {}%: {} of {} that both have are equal\n",
                  RoundedText(diff.Similarity()), diff.equal,
                  Counted(diff.judged, "operator"));
  text += OnlyLines(a, diff.only_a) + OnlyLines(b, diff.only_b);
  if (!diff.changed.empty()) {
    text +=
        fmt::format("changed: {}\n", Counted(diff.changed.size(), "operator"));
  }
  for (const ChangedOperator& op : diff.changed) {
    text += OperatorLines(a, {op.a});
    for (const GraphChange& change : op.changes) {
      text += fmt::format("    {}: {} -> {}\n", change.what, Or(change.a, "-"),
                          Or(change.b, "-"));
    }
  }
  return diff.Different() ? text : text + "the graphs are equal\n";
}

}  // namespace assay
