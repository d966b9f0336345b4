#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/comparison.h"
#include "pipeline/compare.h"

namespace assay {

struct TensorSummary;

// Two tensors as an old tool gets them. The target is its "my" side. Sizes and
// kinds may differ.
struct MetricPair {
  const MeasureJob& job;
  std::string my_file, golden_file;  // for its messages
  int threads = 1;                   // it may use
  const PairStats* stats = nullptr;  // of these values, if they are known
};

using Cells = std::vector<std::pair<std::string, std::string>>;

// The numbers of an old tool: its names and its texts for one pair. An error: a
// file cannot be read.
struct MetricGroup {
  std::string_view name;  // "msaccucmp"
  std::string_view summary;
  Result<Cells> (*cells)(const MetricPair&);
  // Of a pair that has statistics instead of values; null: nothing to say.
  Cells (*statistics)(const TensorSummary& my,
                      const TensorSummary& golden) = nullptr;
};

std::span<const MetricGroup* const> AllMetricGroups();
const MetricGroup* FindMetricGroup(std::string_view name);  // null: unknown

// Fills Row::legacy of every row that has values; for CompareOptions::row_pass.
decltype(CompareOptions::row_pass) FillGroups(
    std::vector<const MetricGroup*> groups);

}  // namespace assay
