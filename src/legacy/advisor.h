#pragma once

#include <span>
#include <string>
#include <vector>

#include "legacy/csv_table.h"
#include "legacy/msaccucmp_log.h"

namespace assay {

// What msaccucmp's expert system says of a result table: the first of its
// detections that hits.
struct OldAdvice {
  enum Kind : uint8_t {
    kNone,  // no detection is possible
    kOverflow,
    kInput,
    kConsistent,
    kProblemNode,
    kSinglePoint,
  };
  Kind kind = kNone;
  std::string index = "NA";  // of the operator
};

// `table` has its heading first; `inputs` are the names of the model's inputs.
OldResult<OldAdvice> Advise(std::span<const CsvRow> table,
                            std::span<const std::string> inputs);

// Three lines.
std::string AdviceText(const OldAdvice& advice, bool chinese);

// Writes advisor_summary.txt into a folder and says the lines on the log.
OldStatus WriteAdvice(const OldAdvice& advice, const std::string& folder,
                      bool chinese);

}  // namespace assay
