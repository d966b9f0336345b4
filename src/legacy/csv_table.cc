#include "legacy/csv_table.h"

#include <fmt/chrono.h>

#include <ctime>

#include "base/output_file.h"

namespace assay {
namespace {

void AppendCell(std::string_view cell, std::string& line) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    line += cell;
    return;
  }
  line += '"';
  for (const char c : cell) {
    if (c == '"') line += '"';
    line += c;
  }
  line += '"';
}

}  // namespace

std::string CsvLine(std::span<const std::string> cells, LineEnd end) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (i > 0) line += ',';
    AppendCell(cells[i], line);
  }
  // An empty line would be no row at all.
  if (cells.size() == 1 && line.empty()) line = "\"\"";
  return line + (end == LineEnd::kCrLf ? "\r\n" : "\n");
}

std::string CsvText(std::span<const CsvRow> rows, LineEnd end) {
  std::string text;
  for (const CsvRow& row : rows) text += CsvLine(row, end);
  return text;
}

Status WriteWhole(const std::string& path, std::string_view bytes) {
  ASSIGN_OR_RETURN(OutputFile file, OutputFile::Create(path));
  RETURN_IF_ERROR(file.Append(bytes));
  return file.Commit();
}

std::string TimeStamp(Clock clock, int seconds_later) {
  const std::time_t now = std::time(nullptr) + seconds_later;
  const std::tm time =
      clock == Clock::kUtc ? fmt::gmtime(now) : fmt::localtime(now);
  return fmt::format("{:%Y%m%d%H%M%S}", time);
}

}  // namespace assay
