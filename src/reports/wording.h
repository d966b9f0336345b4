#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/comparison.h"
#include "reports/language.h"

namespace assay {

// The sentences that the reports for people share. Names in them are as they
// came; each report escapes in its own way.

// "conv1 makes the error; 3 of 118 rows fail", "nothing was compared".
std::string Headline(const Comparison& c);
// "1 fail, 117 pass": the worst first, without zeros.
std::string CountsText(const Comparison& c, const Language& language);
// "118 of 120 tensors compared (98.3%), 2 unpaired".
std::string CoverageText(const SideCoverage& side, const Language& language);
// "npu/ (ascend, graph g.json)".
std::string SourceText(const SourceLabel& label);
// Why the row has its verdict; the error's text if nothing else is said.
std::string_view WhyText(const Row& row);
// The same for people; errors stay as they were reported.
std::string WhyIn(const Language& language, const Row& row);
// "… and 98 more rows (pass)".
std::string MoreRowsText(std::span<const Row* const> hidden,
                         const Language& language);

// Whom to look at first: the rows of the origins, then failures of unknown
// cause; where no origin is known the first rows that fail or are unsure. At
// most `most`.
std::vector<const Row*> Suspects(const Comparison& c, size_t most);
std::vector<const UnpairedTensor*> UnpairedOf(Side side, const Comparison& c);

// Rounded for people; "-" where there is no number.
std::string MetricCell(const Row& row, std::string_view metric);
std::string FloorCell(const Row& row);
std::string MarginCell(const Row& row);  // "38x"

}  // namespace assay
