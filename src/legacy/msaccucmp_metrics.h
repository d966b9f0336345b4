#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipeline/measure.h"

namespace assay {

// The algorithms of msaccucmp; the order is their number.
enum class MsaccucmpMetric : uint8_t {
  kCosineSimilarity,
  kMaxAbsoluteError,
  kAccumulatedRelativeError,
  kRelativeEuclideanDistance,
  kKullbackLeiblerDivergence,
  kStandardDeviation,
  kMeanAbsoluteError,
  kRootMeanSquareError,
  kMaxRelativeError,
  kMeanRelativeError,
};
inline constexpr size_t kMsaccucmpMetrics = 10;

std::string_view Name(MsaccucmpMetric metric);  // the column
// By name or by number as text: "CosineSimilarity", "0".
std::optional<MsaccucmpMetric> MsaccucmpMetricNamed(std::string_view name);
std::span<const MsaccucmpMetric> AllMsaccucmpMetrics();

// What it is asked about a pair.
struct MsaccucmpQuestion {
  std::span<const MsaccucmpMetric> metrics = AllMsaccucmpMetrics();
  uint64_t first = 0;                // compare so many elements; 0: all
  std::string my_file, golden_file;  // named in messages
  bool bool_is_number = false;       // two boolean arrays count as 0 and 1
  bool empty_has_type = false;       // an empty array can be boolean, too
  int threads = 1;                   // to be used
  const PairStats* stats = nullptr;  // of the pair, if they are known
};

struct MsaccucmpCell {
  std::string value;    // "NaN": not computed
  std::string message;  // empty: none
};

struct MsaccucmpAnswer {
  std::vector<MsaccucmpCell> cells;  // in the order of the question
  std::string overflow = "NaN";      // the column OverFlow
  std::string refusal;  // sizes differ (code 11): all cells are "NaN"

  // All messages, as CompareFailReason joins them.
  std::string Reason() const;
};

// What is said of an algorithm that gets two boolean arrays.
std::string NoBool(std::string_view algorithm);

// `job.target` is the original's "my output". An error: a file cannot be read.
Result<MsaccucmpAnswer> AskMsaccucmp(const MeasureJob& job,
                                     const MsaccucmpQuestion& question);

}  // namespace assay
