#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/comparison.h"

namespace assay {

// One thing that can be wrong with a port, and how it shows. Pure: it looks at
// the finished comparison and nothing else.
struct Rule {
  std::string_view name;
  std::string_view summary;
  // Findings without a rank; none on a clean pair.
  std::vector<Finding> (*find)(const Comparison& comparison);
};

// From the most telling to the least.
std::span<const Rule* const> AllRules();

// All findings of all rules, ranked from 1.
std::vector<Finding> Advise(const Comparison& comparison);

}  // namespace assay
