#include "reports/cell_table.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "reports/json_text.h"
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

// Whether a double holds it.
bool IsExact(const Number& number) {
  constexpr double kLargest = 0x1p53;
  if (number.kind == NumberKind::kReal) return std::isfinite(number.raw.real);
  return std::fabs(number.AsDouble()) <= kLargest;
}

// One line under construction.
class Cells {
 public:
  using Kind = CellTable::Kind;

  void Text(std::string_view text) { line_.push_back({ValidUtf8(text)}); }
  void Numeral(const Number& value) {
    line_.push_back(
        {NumberText(value), IsExact(value) ? Kind::kNumber : Kind::kWord});
  }
  void Integer(int64_t value) {
    Numeral({RawNumber{.sint = value}, NumberKind::kSigned});
  }
  template <typename T>
  void Maybe(const std::optional<T>& value) {
    value ? Numeral(*value) : Skip(1);
  }
  void MaybeInt(std::optional<int64_t> value) {
    value ? Integer(*value) : Skip(1);
  }
  void Skip(size_t cells) { line_.resize(line_.size() + cells); }
  CellTable::Line Take() { return std::move(line_); }

 private:
  CellTable::Line line_;
};

using Names = std::vector<std::string_view>;

// What the operands of a joined side say, separated by semicolons.
template <typename Field>
void AppendJoined(const std::vector<Operand>& operands, Field field,
                  Cells& cells) {
  std::vector<std::string> texts;
  for (const Operand& operand : operands) texts.push_back(field(operand));
  cells.Text(fmt::format("{}", fmt::join(texts, ";")));
}

void AppendSide(const std::vector<Operand>& operands, Cells& cells) {
  AppendJoined(
      operands, [](const Operand& o) { return o.file; }, cells);
  AppendJoined(
      operands, [](const Operand& o) { return o.tensor; }, cells);
  AppendJoined(
      operands, [](const Operand& o) { return o.dtype; }, cells);
  AppendJoined(
      operands, [](const Operand& o) { return ToText(o.shape); }, cells);
}

void AppendIdentity(const Row& row, Cells& cells) {
  cells.Integer(static_cast<int64_t>(row.number));
  cells.Text(row.name);
  cells.Text(row.op);
  cells.Text(row.type);
  cells.Text(row.port);
  cells.MaybeInt(row.index);
  cells.MaybeInt(row.rank);
  cells.MaybeInt(row.step);
  cells.Text(row.graph);
  cells.MaybeInt(row.call);
  cells.Text(row.phase);
  cells.MaybeInt(row.order);
}

void AppendJudgement(const Row& row, Cells& cells) {
  cells.Text(row.strategy);
  cells.Text(row.why_paired);
  cells.Text(fmt::format("{}", fmt::join(row.steps, "; ")));
  cells.Text(row.evidence);
  cells.Text(Name(row.verdict));
  cells.Text(Name(row.cause));
  cells.Text(WhyText(row));
  const Floor floor = row.floor.value_or(Floor());
  cells.Text(floor.level);
  cells.Text(floor.metric);
  cells.Maybe(floor.value);
  cells.Maybe(floor.margin);
}

void AppendWorst(const Row& row, Cells& cells) {
  if (row.worst.empty()) return cells.Skip(3);
  cells.Text(ToText(row.worst[0].index));
  cells.Numeral(row.worst[0].golden);
  cells.Numeral(row.worst[0].target);
}

void AppendMetrics(const Row& row, const Names& names, Cells& cells) {
  for (const std::string_view name : names) {
    std::optional<Number> value;
    for (const auto& [key, number] : row.metrics.entries()) {
      if (key == name) value = number;
    }
    cells.Maybe(value);
  }
}

}  // namespace

CellTable::Line CellTable::Of(const Row& row) const {
  Cells cells;
  AppendIdentity(row, cells);
  AppendSide(row.golden, cells);
  AppendSide(row.target, cells);
  AppendJudgement(row, cells);
  AppendWorst(row, cells);
  AppendMetrics(row, metrics_, cells);
  return cells.Take();
}

CellTable::Line CellTable::Of(const UnpairedTensor& tensor) const {
  const std::string_view column =
      tensor.side == Side::kGolden ? "golden_file" : "target_file";
  Cells cells;
  for (const std::string_view name : kColumns) {
    cells.Text(name == "name"      ? tensor.name
               : name == column    ? tensor.file
               : name == "verdict" ? tensor.status
               : name == "why"     ? tensor.why
                                   : "");
  }
  cells.Skip(metrics_.size());
  return cells.Take();
}

CellTable::CellTable(const Comparison& c) {
  for (const Metric& metric : AllMetrics()) {
    const bool held = std::ranges::any_of(
        c.rows, [&](const Row& row) { return row.metrics.Has(metric.name); });
    if (held) metrics_.push_back(metric.name);
  }
}

CellTable::Line CellTable::Head() const {
  Cells cells;
  for (const std::string_view column : kColumns) cells.Text(column);
  for (const std::string_view metric : metrics_) cells.Text(metric);
  return cells.Take();
}

}  // namespace assay
