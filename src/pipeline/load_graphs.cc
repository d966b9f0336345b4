#include "pipeline/load_graphs.h"

#include <fmt/format.h>

#include <algorithm>

#include "graphs/graph_kind.h"
#include "pipeline/choose_graphs.h"
#include "pipeline/name_by_onnx.h"

namespace assay {
namespace {

// A quantiser's rules were given as the graph of a framework's arrays: the
// operators have originals, and no order as those of a compiler have.
GraphRef TakeRules(const std::string& asked, const Talk& talk, Dump& dump) {
  if (asked.empty() || dump.kind != "plain" || dump.graphs.size() != 1) {
    return nullptr;
  }
  const std::vector<Operator>& ops = dump.graphs[0]->operators;
  const auto ordered = [](const Operator& op) { return op.id != 0; };
  const auto made = [](const Operator& op) {
    return op.originals && !op.originals->empty();
  };
  if (std::ranges::any_of(ops, ordered) || std::ranges::none_of(ops, made)) {
    return nullptr;
  }
  talk(fmt::format("  {} is read as the rules of a quantiser", asked));
  GraphRef rules = std::move(dump.graphs[0]);
  dump.graphs.clear();
  return rules;
}

// Those of --quant, else those that stand for a graph; null: there are none.
Result<GraphRef> LoadRules(const CompareOptions& options, const Talk& talk,
                           Dump& golden, Dump& target) {
  if (!options.quant.empty()) {
    ASSIGN_OR_RETURN(Graph quant, OpenGraph(options.quant));
    return std::make_shared<const Graph>(std::move(quant));
  }
  GraphRef rules = TakeRules(options.golden_graph, talk, golden);
  return rules ? rules : TakeRules(options.graph, talk, target);
}

}  // namespace

Result<GraphRef> LoadGraphs(const CompareOptions& options, const Talk& talk,
                            Dump& golden, Dump& target) {
  RETURN_IF_ERROR(ChooseGraphs(options.golden_graph, "golden", golden, talk));
  RETURN_IF_ERROR(ChooseGraphs(options.graph, "target", target, talk));
  ASSIGN_OR_RETURN(GraphRef rules, LoadRules(options, talk, golden, target));
  NameByGraphs(golden);
  NameByGraphs(target);
  if (!target.graphs.empty() || rules != nullptr) {
    NameAsOutputs(golden);
    NameAsOutputs(target);
  }
  const Graph *g = golden.GraphOfKind("onnx"), *t = target.GraphOfKind("onnx");
  if (g == nullptr && t == nullptr) return rules;
  NameByOnnx(g != nullptr ? *g : *t, golden);
  NameByOnnx(t != nullptr ? *t : *g, target);
  return rules;
}

}  // namespace assay
