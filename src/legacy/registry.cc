#include <algorithm>

#include "base/text.h"
#include "legacy/legacy_tool.h"

namespace assay {

extern const LegacyTool kMsaccucmp, kMscmpAdvisor, kMsitDebug, kDebugDump;
extern const LegacyTool kLlmCompare, kLlmCc, kLlmLogits;
extern const LegacyTool kNpuDump, kNpuOverflow, kTfDump;
extern const LegacyTool kTrain, kInfer, kData, kCompareArrays, kVectorCompare;
extern const LegacyTool kTecoFull, kTecoOnce, kTecoRange;

namespace {

constinit const LegacyTool* const kTools[] = {
    &kMsaccucmp,     &kMscmpAdvisor,  &kMsitDebug, &kDebugDump,  //
    &kLlmCompare,    &kLlmCc,         &kLlmLogits,               //
    &kNpuDump,       &kNpuOverflow,   &kTfDump,                  //
    &kTrain,         &kInfer,         &kData,                    //
    &kCompareArrays, &kVectorCompare, &kTecoFull,  &kTecoOnce,  &kTecoRange,
};

}  // namespace

std::span<const LegacyTool* const> AllLegacyTools() { return kTools; }

const LegacyTool* TakeLegacyTool(std::vector<std::string>& line) {
  const LegacyTool* best = nullptr;
  size_t taken = 0;
  for (const LegacyTool* tool : AllLegacyTools()) {
    const auto words = Split(tool->words, ' ');
    if (words.size() <= taken || words.size() > line.size()) continue;
    if (!std::equal(words.begin(), words.end(), line.begin())) continue;
    best = tool;
    taken = words.size();
  }
  line.erase(line.begin(), line.begin() + static_cast<ptrdiff_t>(taken));
  return best;
}

}  // namespace assay
