#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "legacy/csv_table.h"
#include "legacy/llm_pair.h"
#include "legacy/msit_metrics.h"

namespace assay {

// A row of the table: two tensors and how far apart they are.
struct LlmRow {
  LlmPair pair;
  MsitRow values;
};

// Reads and compares the pairs. Those that hold no numbers have no row: there
// the original ends with an exception. `say` hears of them.
std::vector<LlmRow> CompareLlm(
    const std::vector<LlmPair>& pairs, int threads,
    const std::function<void(const std::string&)>& say);

// The rows that the original keeps.
std::vector<LlmRow> KeptRows(std::vector<LlmRow> rows);
// By what stands behind the last dot of my_path: the time of the dump.
void SortByMyTime(std::vector<LlmRow>& rows);

// A number as pandas writes it: nothing for NaN, and one type in a column.
std::string PandasText(std::string_view number);

// Tables, header first.
std::span<const std::string_view> LlmColumns();
std::vector<CsvRow> LlmTable(const std::vector<LlmRow>& rows);
// The statistics of the tensors instead of the tensors (--stats). Rows without
// numbers are left out.
std::vector<CsvRow> LlmStatistics(const std::vector<LlmRow>& rows);
// Of two models' weights (--weight).
std::vector<CsvRow> LlmWeights(const std::vector<LlmRow>& rows);

}  // namespace assay
