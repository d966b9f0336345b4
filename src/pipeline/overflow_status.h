#pragma once

#include <string>
#include <vector>

#include "pipeline/overflow_record.h"

namespace assay {

// What the status of a unit means, in words: "float overflow". Never empty;
// bits that nobody has explained are named as such.
std::vector<std::string> StatusMeanings(const UnitRecord& unit);

}  // namespace assay
