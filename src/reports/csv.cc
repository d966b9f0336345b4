// One line per row, then one per unpaired tensor; RFC 4180, lines end in LF.
// A text that a spreadsheet would run as a formula (= + - @ first) gets an
// apostrophe in front; numbers do not.
#include "reports/cell_table.h"
#include "reports/report.h"

namespace assay {
namespace {

std::string Quoted(std::string text) {
  constexpr std::string_view kStartsFormula = "=+-@\t\r";
  if (!text.empty() && kStartsFormula.find(text[0]) != std::string::npos) {
    text.insert(0, 1, '\'');
  }
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string Line(CellTable::Line cells) {
  std::string line;
  for (CellTable::Cell& cell : cells) {
    if (&cell != cells.data()) line += ',';
    const bool is_text = cell.kind == CellTable::Kind::kText;
    line += is_text ? Quoted(std::move(cell.text)) : cell.text;
  }
  return line + "\n";
}

Status Print(const Comparison& c, const ReportOptions&, const Sink& sink) {
  const CellTable table(c);
  RETURN_IF_ERROR(sink(Line(table.Head())));
  for (const Row& row : c.rows) {
    RETURN_IF_ERROR(sink(Line(table.Of(row))));
  }
  for (const UnpairedTensor& tensor : c.unpaired) {
    RETURN_IF_ERROR(sink(Line(table.Of(tensor))));
  }
  return Done{};
}

}  // namespace

extern constinit const Report kCsvReport = {
    .name = "csv",
    .suffix = ".csv",
    .summary = "one line per row and unpaired tensor, metrics as columns",
    .print = Print,
};

}  // namespace assay
