// One line per row, then one per unpaired tensor; RFC 4180, lines end in LF.
// A text that a spreadsheet would run as a formula (= + - @ first) gets an
// apostrophe in front; numbers do not.
#include <fmt/ranges.h>

#include <algorithm>

#include "base/utf8.h"
#include "reports/json_text.h"
#include "reports/report.h"
#include "reports/wording.h"

namespace assay {
namespace {

constexpr std::string_view kColumns[] = {
    "row",          "name",          "op",           "type",
    "port",         "index",         "rank",         "step",
    "graph",        "call",          "phase",        "order",
    "golden_file",  "golden_tensor", "golden_dtype", "golden_shape",
    "target_file",  "target_tensor", "target_dtype", "target_shape",
    "strategy",     "why_paired",    "steps",        "evidence",
    "verdict",      "cause",         "why",          "floor_level",
    "floor_metric", "floor_value",   "floor_margin", "worst_index",
    "worst_golden", "worst_target",
};

// One line under construction.
class Line {
 public:
  void Text(std::string_view text);
  void Plain(std::string_view cell);  // numbers, and nothing
  template <typename T>
  void Maybe(const std::optional<T>& value) {
    Plain(value ? NumberText(*value) : "");
  }
  void MaybeInt(std::optional<int64_t> value) {
    Plain(value ? fmt::format("{}", *value) : "");
  }
  void Skip(size_t cells) {
    while (cells-- > 0) Plain("");
  }
  std::string Take() { return std::move(line_) + "\n"; }

 private:
  std::string line_;
  bool first_ = true;
};

void Line::Plain(std::string_view cell) {
  if (!first_) line_ += ',';
  first_ = false;
  line_ += cell;
}

void Line::Text(std::string_view text) {
  constexpr std::string_view kStartsFormula = "=+-@\t\r";
  std::string cell = ValidUtf8(text);
  if (!cell.empty() && kStartsFormula.find(cell[0]) != std::string::npos) {
    cell.insert(0, 1, '\'');
  }
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return Plain(cell);
  std::string quoted = "\"";
  for (const char c : cell) quoted.append(c == '"' ? 2 : 1, c);
  Plain(quoted + '"');
}

// What the operands of a joined side say, separated by semicolons.
template <typename Field>
void AppendJoined(const std::vector<Operand>& operands, Field field,
                  Line& line) {
  std::vector<std::string> texts;
  for (const Operand& operand : operands) texts.push_back(field(operand));
  line.Text(fmt::format("{}", fmt::join(texts, ";")));
}

void AppendSide(const std::vector<Operand>& operands, Line& line) {
  AppendJoined(
      operands, [](const Operand& o) { return o.file; }, line);
  AppendJoined(
      operands, [](const Operand& o) { return o.tensor; }, line);
  AppendJoined(
      operands, [](const Operand& o) { return o.dtype; }, line);
  AppendJoined(
      operands, [](const Operand& o) { return ToText(o.shape); }, line);
}

void AppendIdentity(const Row& row, Line& line) {
  line.Plain(fmt::format("{}", row.number));
  line.Text(row.name);
  line.Text(row.op);
  line.Text(row.type);
  line.Text(row.port);
  line.MaybeInt(row.index);
  line.MaybeInt(row.rank);
  line.MaybeInt(row.step);
  line.Text(row.graph);
  line.MaybeInt(row.call);
  line.Text(row.phase);
  line.MaybeInt(row.order);
}

void AppendJudgement(const Row& row, Line& line) {
  line.Text(row.strategy);
  line.Text(row.why_paired);
  line.Text(fmt::format("{}", fmt::join(row.steps, "; ")));
  line.Text(row.evidence);
  line.Text(Name(row.verdict));
  line.Text(Name(row.cause));
  line.Text(WhyText(row));
  const Floor floor = row.floor.value_or(Floor());
  line.Text(floor.level);
  line.Text(floor.metric);
  line.Maybe(floor.value);
  line.Maybe(floor.margin);
}

void AppendWorst(const Row& row, Line& line) {
  if (row.worst.empty()) return line.Skip(3);
  line.Text(ToText(row.worst[0].index));
  line.Plain(NumberText(row.worst[0].golden));
  line.Plain(NumberText(row.worst[0].target));
}

using Names = std::vector<std::string_view>;

void AppendMetrics(const Row& row, const Names& names, Line& line) {
  for (const std::string_view name : names) {
    std::optional<Number> value;
    for (const auto& [key, number] : row.metrics.entries()) {
      if (key == name) value = number;
    }
    line.Maybe(value);
  }
}

std::string RowLine(const Row& row, const Names& metrics) {
  Line line;
  AppendIdentity(row, line);
  AppendSide(row.golden, line);
  AppendSide(row.target, line);
  AppendJudgement(row, line);
  AppendWorst(row, line);
  AppendMetrics(row, metrics, line);
  return line.Take();
}

std::string UnpairedLine(const UnpairedTensor& tensor, size_t metrics) {
  const std::string_view column =
      tensor.side == Side::kGolden ? "golden_file" : "target_file";
  Line line;
  for (const std::string_view name : kColumns) {
    line.Text(name == "name"      ? tensor.name
              : name == column    ? tensor.file
              : name == "verdict" ? tensor.status
              : name == "why"     ? tensor.why
                                  : "");
  }
  line.Skip(metrics);
  return line.Take();
}

// The metrics that some row holds.
Names MetricColumns(const Comparison& c) {
  Names names;
  for (const Metric& metric : AllMetrics()) {
    const bool held = std::ranges::any_of(
        c.rows, [&](const Row& row) { return row.metrics.Has(metric.name); });
    if (held) names.push_back(metric.name);
  }
  return names;
}

Status Print(const Comparison& c, const ReportOptions&, const Sink& sink) {
  const Names metrics = MetricColumns(c);
  Line head;
  for (const std::string_view column : kColumns) head.Plain(column);
  for (const std::string_view metric : metrics) head.Plain(metric);
  RETURN_IF_ERROR(sink(head.Take()));
  for (const Row& row : c.rows) RETURN_IF_ERROR(sink(RowLine(row, metrics)));
  for (const UnpairedTensor& tensor : c.unpaired) {
    RETURN_IF_ERROR(sink(UnpairedLine(tensor, metrics.size())));
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
