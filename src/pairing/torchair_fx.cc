// TorchAir: an FX graph on the host against the compiled graph on the device.
// The dumped graph tags the outputs of its operators with FX tensors.
#include "pairing/builder.h"
#include "pairing/fx_graph_pair.h"
#include "pairing/strategy.h"
#include "pairing/torchair_sides.h"

namespace assay {
namespace {

// How many of the graph's FX nodes a golden group has.
size_t CountNodes(const Graph& graph, const GraphGroup& group,
                  const Dump& golden) {
  size_t count = 0;
  for (const Operator& op : graph.operators) {
    for (const FxTag& tag : TagsOf(graph, op, golden.names)) {
      count += tag.node.op != kNoName &&
               group.steps.begin()->second.Find(tag.node.op, tag.node.target) !=
                   nullptr;
    }
  }
  return count;
}

}  // namespace

TorchairSides SidesOfFx(const Dump& golden, const Dump& target) {
  TorchairSides sides = {.mine = GroupsOf(target, false),
                         .theirs = GroupsOf(golden, true)};
  const auto &mine = sides.mine, &theirs = sides.theirs;
  sides.graphs = GraphsOfGroups(target, mine);
  const auto& graphs = sides.graphs;
  const auto named = [&](size_t i, size_t j) {
    const std::string_view name = golden.names[theirs[j].graph];
    return name == target.names[mine[i].graph] ||
           (graphs[i] != nullptr && IsCalled(*graphs[i], name));
  };
  const auto score = [&](size_t i, size_t j) {
    return graphs[i] ? CountNodes(*graphs[i], theirs[j], golden) : 0;
  };
  sides.partners = PartnersOf(mine, theirs, named, score);
  return sides;
}

namespace {

std::string Fits(const Dump& golden, const Dump& target,
                 const PairOptions& options) {
  const bool fits = golden.kind == "torchair-fx" &&
                    target.kind == "torchair-ge" && !target.graphs.empty() &&
                    options.map_file.empty() && options.renames.empty();
  return fits ? "golden is an FX graph and target the graph compiled from it"
              : "";
}

Result<Pairing> DoPair(const Dump& golden, const Dump& target,
                       const PairOptions& options) {
  if (target.graphs.empty()) {
    return Usage("pairing 'torchair-fx' needs the graphs of the target")
        .Hint("give the dynamo_original_graph_*.txt with --graph");
  }
  PairingBuilder out(golden, target);
  const auto [mine, theirs, graphs, partners] = SidesOfFx(golden, target);
  for (size_t i = 0; i < mine.size(); ++i) {
    if (partners[i] == kNobody || graphs[i] == nullptr) continue;
    FxGraphPair(golden, target, *graphs[i], out)
        .Run(mine[i], theirs[partners[i]]);
  }
  // The graph knows the operators of the target.
  out.NameByTarget();
  return out.Finish(
      options,
      [&, &mine = mine](uint32_t g) {
        return WhyAlone(
            golden.tensors[g].id, mine, "target",
            "the graph ties no dumped operator of the target to it");
      },
      [&, &theirs = theirs](uint32_t t) {
        return WhyAlone(target.tensors[t].id, theirs, "golden",
                        "no FX graph belongs to its graph");
      });
}

}  // namespace

extern constinit const Strategy kTorchairFxPairing = {
    .name = "torchair-fx",
    .summary = "TorchAir: tags of the dumped graph name the FX tensors",
    .fits = Fits,
    .pair = DoPair,
};

}  // namespace assay
