#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace assay {

// Tables as Python's csv module writes them: commas, quotes only where they are
// needed. msaccucmp ends lines with CRLF, pandas with LF.
enum class LineEnd : uint8_t { kCrLf, kLf };

using CsvRow = std::vector<std::string>;

std::string CsvLine(std::span<const std::string> cells, LineEnd end);
std::string CsvText(std::span<const CsvRow> rows, LineEnd end);

// Writes a whole file, or nothing; an old file is replaced, as the old tools
// do.
Status WriteWhole(const std::string& path, std::string_view bytes);

// "20251010083830": what the old tools put into file names.
enum class Clock : uint8_t { kLocal, kUtc };
std::string TimeStamp(Clock clock, int seconds_later = 0);

}  // namespace assay
