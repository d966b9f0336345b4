#pragma once

#include <functional>
#include <string>

#include "legacy/msaccucmp_log.h"
#include "pairing/fusion_rule.h"

namespace assay {

// Text of -r ("3,9,2", blanks are 1,-1,1) or of -s ("3,12,6").
struct RangeText {
  std::string text;
  bool is_select = false;
};

// Which operators are asked for, by when they run.
OldResult<std::function<bool(int64_t id)>> ChooseOperators(
    const FusionRule& rule, const RangeText& range);

}  // namespace assay
