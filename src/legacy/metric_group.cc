#include "legacy/metric_group.h"

#include "pipeline/plan.h"

namespace assay {

extern const MetricGroup kMsaccucmpGroup, kMsitGroup, kMsprobeGroup,
    kPrecisionToolGroup, kTecoGroup;

namespace {

constinit const MetricGroup* const kGroups[] = {
    &kMsaccucmpGroup, &kMsitGroup, &kMsprobeGroup, &kPrecisionToolGroup,
    &kTecoGroup};

std::string FileOf(const std::vector<Operand>& operands) {
  return operands.empty() ? "" : operands.front().file;
}

// A file that cannot be read is told once, by the row itself.
LegacyCells CellsOf(const MetricGroup& group, const MetricPair& pair) {
  Result<Cells> cells = group.cells(pair);
  if (cells) return {std::string(group.name), *std::move(cells)};
  return {std::string(group.name), {{"message", cells.error().what}}};
}

// Nothing where the tool would have nothing to look at.
std::optional<LegacyCells> CellsOf(const MetricGroup& group,
                                   const Planned& planned,
                                   const PairStats* stats, int threads) {
  if (planned.BySummary()) {
    const auto &my = planned.target_summary, &golden = planned.golden_summary;
    if (group.statistics == nullptr || !my || !golden) return std::nullopt;
    return LegacyCells{std::string(group.name), group.statistics(*my, *golden)};
  }
  const MeasureJob* job = planned.job ? &*planned.job : planned.unlike.get();
  if (job == nullptr) return std::nullopt;
  return CellsOf(group, {*job, FileOf(planned.row.target),
                         FileOf(planned.row.golden), threads, stats});
}

}  // namespace

std::span<const MetricGroup* const> AllMetricGroups() { return kGroups; }

const MetricGroup* FindMetricGroup(std::string_view name) {
  for (const MetricGroup* group : kGroups) {
    if (group->name == name) return group;
  }
  return nullptr;
}

decltype(CompareOptions::row_pass) FillGroups(
    std::vector<const MetricGroup*> groups) {
  return [groups = std::move(groups)](Planned& planned, const PairStats* stats,
                                      int threads) {
    auto all = std::make_shared<std::vector<LegacyCells>>();
    for (const MetricGroup* group : groups) {
      if (auto cells = CellsOf(*group, planned, stats, threads)) {
        all->push_back(*std::move(cells));
      }
    }
    if (!all->empty()) planned.row.legacy = std::move(all);
  };
}

}  // namespace assay
