#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/report.h"

namespace assay {

// The text in the colour of the verdict, if colours are wanted.
std::string Colored(std::string_view text, Verdict verdict,
                    const ReportOptions& options);

// The rows as aligned columns. The name is clipped in the middle and the last
// column, WHY, at its end, so that a line fits the terminal.
std::string TerminalTable(std::span<const Row* const> rows,
                          const ReportOptions& options);

}  // namespace assay
