#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "legacy/msaccucmp_log.h"
#include "pairing/fusion_rule.h"

namespace assay {

// Text of -r ("3,9,2", blanks are 1,-1,1) or of -s ("3,12,6").
struct RangeText {
  std::string text;
  bool is_select = false;
  bool unfused = false;  // the rule was merged with that of another build
};

// Whether it can be read at all; what the model has is asked later.
OldStatus CheckRangeText(const RangeText& range);

// The groups whose operators are asked for, by when they run.
OldResult<std::set<uint32_t>> ChooseGroups(const FusionRule& rule,
                                           const RangeText& range);

}  // namespace assay
