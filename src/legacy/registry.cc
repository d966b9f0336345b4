#include <algorithm>

#include "base/text.h"
#include "legacy/legacy_tool.h"

namespace assay {

extern const LegacyTool kNpuDump, kNpuOverflow, kTfDump;
constinit const LegacyTool* const kLegacyTools[] = {&kNpuDump, &kNpuOverflow,
                                                    &kTfDump};

std::span<const LegacyTool* const> AllLegacyTools() { return kLegacyTools; }

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
