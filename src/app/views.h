#pragma once

#include <string>

#include "base/json_writer.h"
#include "core/comparison.h"
#include "core/dump.h"
#include "kernel/examine.h"
#include "pipeline/look.h"

namespace assay {

// What `assay show` prints.

// Bars of a log-histogram, one decade per line; `label` names the quantity.
std::string HistogramText(const LogHistogram& histogram,
                          std::string_view label);

// One tensor: specification, statistics, first values, magnitudes.
std::string TensorText(const Dump& dump, const TensorInfo& tensor,
                       const TensorLook& look);
// The same of a tensor of which a dump kept statistics only.
std::string SummaryText(const Dump& dump, const TensorInfo& tensor);
void SummaryJson(const Dump& dump, const TensorInfo& tensor, JsonWriter& json);

void TensorJson(const Dump& dump, const TensorInfo& tensor,
                const TensorLook& look, JsonWriter& json);

// All tensors of a source as a table, one line each.
struct TensorLine {
  const TensorInfo* tensor;
  Measured measured;
};
std::string TensorTable(const Dump& dump, const std::vector<TensorLine>& lines);
void TensorLineJson(const Dump& dump, const TensorLine& line, JsonWriter& json);

// One row of a run: verdict, metrics, worst elements; `detail` may be null
// when the sources are gone.
std::string RowText(const Row& row, const Detail* detail);

}  // namespace assay
