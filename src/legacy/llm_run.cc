#include "legacy/llm_run.h"

#include <filesystem>

#include "base/parallel.h"
#include "legacy/llm_torchair.h"
#include "pairing/strategy.h"
#include "pipeline/choose_graphs.h"
#include "sources/source.h"
#include "sources/tree.h"

namespace assay {
namespace {

bool IsOriginalGraph(std::string_view name) {
  return name.starts_with("dynamo_original_graph_") && name.ends_with(".txt");
}

// The folder that TorchAir wrote its graphs to; empty: none below.
std::string GraphFolder(const std::string& path) {
  if (!std::filesystem::is_directory(path)) return "";
  const std::string file = Glimpse(path).Find(IsOriginalGraph);
  if (file.empty()) return "";
  const std::string folder(FolderOf(file));
  return folder.empty() ? path : path + "/" + folder;
}

Result<Dump> Open(const std::string& path) {
  return OpenSource(path, {.threads = DefaultThreads()});
}

Status PlanByGraphs(const LlmSources& sources, LlmPlan& plan) {
  const std::string theirs = GraphFolder(sources.golden);
  ASSIGN_OR_RETURN(plan.my, Open(GraphFolder(sources.my)));
  RETURN_IF_ERROR(ChooseGraphs("", "my", plan.my, sources.say));
  ASSIGN_OR_RETURN(plan.golden, Open(theirs.empty() ? sources.golden : theirs));
  const std::string& kind = plan.golden.kind;
  if (kind != "torchair-fx" && kind != "torchair-ge") {
    return Usage("the golden side is '{}', not a dump of TorchAir", kind)
        .At(sources.golden)
        .Hint("give the folder that TorchAir wrote, of GE or of FX data");
  }
  plan.reports = PlanTorchair(plan.golden, plan.my, sources.say);
  std::erase_if(plan.reports, [&](const LlmReport& report) {
    return sources.rank && report.rank && *report.rank != *sources.rank;
  });
  if (!plan.reports.empty()) return Done{};
  return NotFound("no graph, rank and token is on both sides").At(sources.my);
}

LlmPair MakePair(const LlmPlan& plan, const Pair& pair, size_t number) {
  const Dump& from = pair.golden_is_target ? plan.my : plan.golden;
  const TensorOf g = {&from, &from.tensors[pair.golden.tensor]};
  const TensorOf m = {&plan.my, &plan.my.tensors[pair.target.tensor]};
  return {.token = std::max(m.tensor->id.step, 0),
          .id = static_cast<int64_t>(number),
          .golden = g,
          .my = m,
          .golden_path = LlmPair::PathOf(g),
          .my_path = LlmPair::PathOf(m),
          .golden_type = std::string(from.names[g.tensor->id.type]),
          .my_type = std::string(plan.my.names[m.tensor->id.type])};
}

}  // namespace

Result<std::unique_ptr<LlmPlan>> OpenLlm(const LlmSources& sources) {
  auto plan = std::make_unique<LlmPlan>();
  ASSIGN_OR_RETURN(plan->golden, Open(sources.golden));
  ASSIGN_OR_RETURN(plan->my, Open(sources.my));
  return plan;
}

Status PairByNames(const LlmSources& sources, LlmPlan& plan) {
  ASSIGN_OR_RETURN(const Pairing pairing, PairDumps(plan.golden, plan.my, {}));
  LlmReport& report = plan.reports.emplace_back();
  for (const Pair& pair : pairing.pairs) {
    report.pairs.push_back(MakePair(plan, pair, report.pairs.size()));
  }
  if (!report.pairs.empty()) return Done{};
  return NotFound("no tensor is on both sides")
      .At(sources.my)
      .Hint(
          "operators are paired by their names and places; 'assay compare "
          "GOLDEN MY --map FILE' takes a table of names");
}

bool IsTorchair(const std::string& path) { return !GraphFolder(path).empty(); }

Result<std::unique_ptr<LlmPlan>> PlanLlm(const LlmSources& sources) {
  if (IsTorchair(sources.my)) {
    auto plan = std::make_unique<LlmPlan>();
    plan->torchair = true;
    RETURN_IF_ERROR(PlanByGraphs(sources, *plan));
    return plan;
  }
  ASSIGN_OR_RETURN(auto plan, OpenLlm(sources));
  RETURN_IF_ERROR(PairByNames(sources, *plan));
  return plan;
}

std::vector<LlmRow> RunLlm(const LlmPlan& plan, const LlmReport& report,
                           const LlmSources& sources) {
  std::vector<LlmRow> rows =
      CompareLlm(report.pairs, DefaultThreads(), sources.say);
  if (plan.torchair) SortByMyTime(rows);
  return rows;
}

}  // namespace assay
