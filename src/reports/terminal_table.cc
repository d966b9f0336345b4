#include "reports/terminal_table.h"

#include <algorithm>
#include <cctype>

#include "base/utf8.h"
#include "reports/language.h"
#include "reports/wording.h"

namespace assay {
namespace {

constexpr int kGap = 2;
constexpr int kNarrow = 16;  // a name or a reason below this says nothing

struct Column {
  std::string title;
  bool right = false;
  int width = 0;
  std::vector<std::string> cells;
};

std::string Upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) {
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return upper;
}

template <typename CellText>
Column MakeColumn(std::string_view title, std::span<const Row* const> rows,
                  CellText text) {
  Column column{.title = Upper(title), .width = DisplayWidth(title)};
  for (const Row* row : rows) {
    column.cells.push_back(Printable(text(*row)));
    column.width = std::max(column.width, DisplayWidth(column.cells.back()));
  }
  return column;
}

bool Holds(std::span<const Row* const> rows, std::string_view metric) {
  return std::ranges::any_of(
      rows, [&](const Row* row) { return row->metrics.Has(metric); });
}

// The usual ones, or those that --metrics chose instead; the one sorted by.
std::vector<std::string_view> ShownMetrics(std::span<const Row* const> rows,
                                           const ReportOptions& options) {
  constexpr size_t kMost = 4;
  const std::vector<std::string_view> usual = {"cosine", "rel_l2", "max_abs"};
  std::vector<std::string_view> held;
  for (const Metric& metric : AllMetrics()) {
    if (Holds(rows, metric.name)) held.push_back(metric.name);
  }
  const bool has_usual = std::ranges::all_of(
      usual, [&](auto name) { return std::ranges::count(held, name) > 0; });
  if (held.size() > kMost) held.resize(kMost);
  std::vector<std::string_view> shown =
      has_usual || held.empty() ? usual : held;
  const bool sorted_by = FindMetric(options.sort) != nullptr;
  if (sorted_by && std::ranges::count(shown, options.sort) == 0) {
    shown.push_back(options.sort);
  }
  return shown;
}

std::vector<Column> MakeColumns(std::span<const Row* const> rows,
                                const ReportOptions& options) {
  std::vector<Column> columns;
  const auto add = [&](std::string_view title, bool right, auto text) {
    columns.push_back(MakeColumn(title, rows, text));
    columns.back().right = right;
  };
  const Language language(options.lang);
  add(language.Word("operator"), false,
      [](const Row& row) { return row.name; });
  add(language.Word("verdict"), false,
      [&](const Row& row) { return language.Word(row.verdict); });
  for (const std::string_view metric : ShownMetrics(rows, options)) {
    add(metric, true, [&](const Row& row) { return MetricCell(row, metric); });
  }
  add(language.Word("margin"), true, MarginCell);
  add(language.Word("why"), false,
      [&](const Row& row) { return WhyIn(language, row); });
  return columns;
}

// Shares what the numbers leave between the name and the reason.
void Fit(int width, std::vector<Column>& columns) {
  int rest = width - kGap * static_cast<int>(columns.size() - 1);
  for (const Column& column : columns) rest -= column.width;
  if (width <= 0 || rest >= 0) return;
  Column &name = columns.front(), &why = columns.back();
  rest += name.width + why.width;
  name.width =
      std::min(name.width, std::max({rest / 2, rest - why.width, kNarrow}));
  why.width = std::max(rest - name.width, kNarrow);
}

std::string Padded(const Column& column, const std::string& text) {
  const size_t missing =
      static_cast<size_t>(std::max(0, column.width - DisplayWidth(text)));
  const std::string blanks(missing, ' ');
  return column.right ? blanks + text : text + blanks;
}

// Errors are read in full, whatever the width.
std::string Clipped(const std::vector<Column>& columns, size_t i, size_t at,
                    const Row& row) {
  const std::string& text = columns[i].cells[at];
  if (i + 1 < columns.size()) return ClipMiddle(text, columns[i].width);
  return row.error ? text : ClipEnd(text, columns[i].width);
}

std::string TitleLine(const std::vector<Column>& columns) {
  std::string line;
  for (const Column& column : columns) {
    line += Padded(column, column.title) + std::string(kGap, ' ');
  }
  return line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

std::string ErrorLines(const Error& error) {
  const std::string where = error.Where();
  std::string lines;
  if (!where.empty()) lines += fmt::format("  in    {}\n", Printable(where));
  if (!error.hint.empty()) {
    lines += fmt::format("  hint  {}\n", Printable(error.hint));
  }
  return lines;
}

std::string RowLine(const std::vector<Column>& columns, size_t at,
                    const Row& row, const ReportOptions& options) {
  constexpr size_t kVerdictColumn = 1;
  std::string line;
  for (size_t i = 0; i < columns.size(); ++i) {
    const std::string cell = Padded(columns[i], Clipped(columns, i, at, row));
    line += i == kVerdictColumn ? Colored(cell, row.verdict, options) : cell;
    line += std::string(kGap, ' ');
  }
  line.resize(line.find_last_not_of(' ') + 1);
  return line + "\n" + (row.error ? ErrorLines(*row.error) : "");
}

}  // namespace

std::string Colored(std::string_view text, Verdict verdict,
                    const ReportOptions& options) {
  if (!options.color) return std::string(text);
  static constexpr std::string_view kCodes[kVerdicts] = {
      "32", "1;31", "33", "2", "2", "1;31"};  // in the order of Verdict
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<size_t>(verdict)],
                     text);
}

std::string TerminalTable(std::span<const Row* const> rows,
                          const ReportOptions& options) {
  std::vector<Column> columns = MakeColumns(rows, options);
  Fit(options.width, columns);
  std::string text = TitleLine(columns);
  for (size_t i = 0; i < rows.size(); ++i) {
    text += RowLine(columns, i, *rows[i], options);
  }
  return text;
}

}  // namespace assay
