// So little was compared that a good verdict proves little.
#include <fmt/format.h>

#include <map>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

constexpr double kEnough = 0.9;  // part of the tensors that could be compared

// Fusion takes tensors away, and a filter leaves them out: no gap.
bool IsExplained(const UnpairedTensor& tensor) {
  return tensor.status == "skipped" ||
         tensor.why.find("fused") != std::string::npos ||
         tensor.why.find("compiler") != std::string::npos;
}

struct Gap {
  uint64_t open = 0, explained = 0;
  std::map<std::string, uint64_t> reasons;
};

Gap GapOf(Side side, const SideCoverage& coverage, const Comparison& c) {
  Gap gap{.open = coverage.error};
  if (coverage.error > 0) gap.reasons["could not be read"] = coverage.error;
  for (const UnpairedTensor& tensor : c.unpaired) {
    if (tensor.side != side) continue;
    ++(IsExplained(tensor) ? gap.explained : gap.open);
    if (!IsExplained(tensor)) ++gap.reasons[tensor.why];
  }
  return gap;
}

void Check(Side side, const SideCoverage& coverage, const Comparison& c,
           std::vector<Finding>& found) {
  const Gap gap = GapOf(side, coverage, c);
  const uint64_t wanted = coverage.compared + gap.open;
  if (wanted == 0 || static_cast<double>(coverage.compared) >=
                         kEnough * static_cast<double>(wanted)) {
    return;
  }
  std::string reason;
  uint64_t most = 0;
  for (const auto& [why, count] : gap.reasons) {
    if (count > most) {
      most = count;
      reason = why;
    }
  }
  found.push_back(
      {.text = fmt::format(
           "only {} of {} {} were compared, mostly because: {}",
           coverage.compared, Counted(wanted, "tensor"),
           side == Side::kGolden ? "of golden" : "of the target", reason),
       .next = CompareCommand(c) + " --map map.csv",
       .evidence = {{"side", std::string(Name(side))},
                    {"compared", fmt::format("{}", coverage.compared)},
                    {"total", fmt::format("{}", coverage.total)},
                    {"explained", fmt::format("{}", gap.explained)},
                    {"reason", reason}}});
}

std::vector<Finding> Find(const Comparison& c) {
  std::vector<Finding> found;
  Check(Side::kGolden, c.golden_coverage, c, found);
  Check(Side::kTarget, c.target_coverage, c, found);
  return found;
}

}  // namespace

extern constinit const Rule kCoverageGap = {
    .name = "coverage-gap",
    .summary = "a good part of the tensors of a side was not compared",
    .find = Find,
};

}  // namespace assay
