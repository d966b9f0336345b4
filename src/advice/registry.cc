#include "advice/rule.h"

namespace assay {

extern const Rule kInputsDiffer, kFp16Overflow, kSwappedOutputs, kStepShift,
    kLayoutMistake, kScaleError, kConstantOutput, kDangerousCast, kSaturation,
    kProblemNode, kSinglePoint, kConsistentDrift, kMissingGolden, kCoverageGap,
    kWeightOverflow;

namespace {

constinit const Rule* const kRules[] = {
    &kInputsDiffer,    &kFp16Overflow,  &kWeightOverflow, &kSwappedOutputs,
    &kStepShift,       &kLayoutMistake, &kScaleError,     &kConstantOutput,
    &kDangerousCast,   &kSaturation,    &kProblemNode,    &kSinglePoint,
    &kConsistentDrift, &kMissingGolden, &kCoverageGap};

}  // namespace

std::span<const Rule* const> AllRules() { return kRules; }

std::vector<Finding> Advise(const Comparison& comparison) {
  std::vector<Finding> all;
  for (const Rule* rule : AllRules()) {
    for (Finding& finding : rule->find(comparison)) {
      finding.rule = rule->name;
      finding.rank = static_cast<int>(all.size()) + 1;
      all.push_back(std::move(finding));
    }
  }
  return all;
}

}  // namespace assay
