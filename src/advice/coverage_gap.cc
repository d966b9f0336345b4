// So little was compared that a good verdict proves little.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "advice/row_facts.h"
#include "advice/rule.h"
#include "base/text.h"

namespace assay {
namespace {

constexpr char kUnreadable[] = "of errors";
constexpr double kEnough = 0.9;  // part of the tensors that could be compared

// Fusion takes tensors away, repetition makes more of them, a filter leaves
// them out, and weights are not dumped: no gap.
bool IsExplained(const UnpairedTensor& tensor) {
  constexpr std::string_view kReasons[] = {"fused", "fusion", "compiler",
                                           "no tensor of the framework",
                                           "older dump"};
  return tensor.status == "skipped" || IsUsuallyMissing(tensor) ||
         std::ranges::any_of(kReasons, [&](std::string_view reason) {
           return tensor.why.find(reason) != std::string::npos;
         });
}

// Without the name that differs from tensor to tensor.
std::string ReasonOf(const UnpairedTensor& tensor) {
  return tensor.why.substr(0, tensor.why.find("; nearest: "));
}

// Where the names of the sides have nothing in common, contents may.
std::string NextCommand(const Comparison& c) {
  return CompareCommand(c) +
         (c.rows.empty() ? " --pairing by-content" : " --map map.csv");
}

struct Gap {
  Side side = Side::kGolden;
  uint64_t compared = 0, total = 0, open = 0, explained = 0;
  std::string reason;  // of most that are open

  double Part() const {
    const uint64_t wanted = compared + open;
    return wanted == 0
               ? 1.0
               : static_cast<double>(compared) / static_cast<double>(wanted);
  }
};

Gap GapOf(Side side, const SideCoverage& coverage, const Comparison& c) {
  Gap gap{.side = side,
          .compared = coverage.compared,
          .total = coverage.total,
          .open = coverage.error};
  std::map<std::string, uint64_t> reasons = {{kUnreadable, coverage.error}};
  for (const UnpairedTensor& tensor : c.unpaired) {
    if (tensor.side != side || tensor.status == "error") continue;
    ++(IsExplained(tensor) ? gap.explained : gap.open);
    if (!IsExplained(tensor)) ++reasons[ReasonOf(tensor)];
  }
  gap.reason = std::ranges::max_element(reasons, {}, [](const auto& entry) {
                 return entry.second;
               })->first;
  return gap;
}

// The worse side; one that lacks tensors often makes both look bad.
std::vector<Finding> Find(const Comparison& c) {
  const Gap golden = GapOf(Side::kGolden, c.golden_coverage, c);
  const Gap target = GapOf(Side::kTarget, c.target_coverage, c);
  const Gap& gap = target.Part() < golden.Part() ? target : golden;
  if (gap.Part() >= kEnough) return {};
  const bool unreadable = gap.reason == kUnreadable;
  const SourceLabel& source = gap.side == Side::kGolden ? c.golden : c.target;
  return {{.text = fmt::format(
               "{} of {} of the {} side {} not compared, mostly because {}",
               gap.open, Counted(gap.compared + gap.open, "tensor"),
               Name(gap.side), gap.open == 1 ? "was" : "were", gap.reason),
           .next = unreadable ? "assay show " + source.source : NextCommand(c),
           .evidence = {{"side", std::string(Name(gap.side))},
                        {"compared", fmt::format("{}", gap.compared)},
                        {"total", fmt::format("{}", gap.total)},
                        {"explained", fmt::format("{}", gap.explained)},
                        {"reason", gap.reason}}}};
}

}  // namespace

extern constinit const Rule kCoverageGap = {
    .name = "coverage-gap",
    .summary = "a good part of the tensors of a side was not compared",
    .find = Find,
};

}  // namespace assay
