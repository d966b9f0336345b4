#pragma once

#include <string>
#include <string_view>

namespace assay {

// How msprobe compares two statistics of a tensor, given as Python prints them.
struct StatisticDifference {
  std::string difference;  // "-1.0", "Nan", "inf", "N/A", "Diff"
  std::string relative;    // "50.0%"
};

// `whole`: a difference of whole numbers is one, as where a table has no other
// numbers.
StatisticDifference CompareStatistic(std::string_view npu,
                                     std::string_view bench, bool whole = true);

}  // namespace assay
