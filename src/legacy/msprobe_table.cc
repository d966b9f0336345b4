// compare_result_*.csv of msprobe: a row per tensor, by its values or, where a
// dump has no more than that, by its statistics.
#include <fmt/format.h>

#include <map>

#include "base/json_writer.h"
#include "core/tensor_summary.h"
#include "legacy/msit_metrics.h"
#include "legacy/msprobe_metrics.h"
#include "legacy/msprobe_result.h"
#include "legacy/msprobe_statistics.h"
#include "legacy/numpy.h"
#include "legacy/old_table.h"

namespace assay {
namespace {

constexpr std::string_view kStatistics[] = {"max", "min", "mean", "l2norm"};
constexpr std::string_view kStatisticColumns[] = {
    "Max diff",       "Min diff",       "Mean diff",       "L2norm diff",
    "MaxRelativeErr", "MinRelativeErr", "MeanRelativeErr", "NormRelativeErr"};

void AddStatistics(std::string_view side,
                   const std::array<std::string, 4>& texts, Cells& cells) {
  for (size_t i = 0; i < texts.size(); ++i) {
    cells.emplace_back(fmt::format("{} {}", side, kStatistics[i]),
                       texts[i].empty() ? "N/A" : texts[i]);
  }
}

std::array<std::string, 4> TextsOf(const MsitSide& side) {
  return {side.max, side.min, side.mean, side.l2};
}

std::array<std::string, 4> TextsOf(const TensorSummary& summary) {
  const auto text = [](const std::optional<double>& value) {
    return value ? ReprText(*value) : "N/A";
  };
  return {text(summary.max), text(summary.min), text(summary.mean),
          text(summary.l2)};
}

Result<Cells> CellsOf(const MetricPair& pair) {
  ASSIGN_OR_RETURN(const MsprobeAnswer answer, AskMsprobe(pair.job));
  ASSIGN_OR_RETURN(const MsitRow both, AskMsit(pair.job));
  Cells cells;
  for (size_t i = 0; i < kMsprobeMetrics.size(); ++i) {
    cells.emplace_back(kMsprobeMetrics[i], answer.metrics[i]);
  }
  AddStatistics("NPU", TextsOf(both.my), cells);
  AddStatistics("Bench", TextsOf(both.golden), cells);
  cells.emplace_back("message", answer.message);
  return cells;
}

Cells StatisticCells(const TensorSummary& my, const TensorSummary& golden) {
  const auto m = TextsOf(my), g = TextsOf(golden);
  Cells differences, relative;
  for (size_t i = 0; i < m.size(); ++i) {
    const StatisticDifference both = CompareStatistic(m[i], g[i]);
    differences.emplace_back(kStatisticColumns[i], both.difference);
    relative.emplace_back(kStatisticColumns[i + 4], both.relative);
  }
  differences.insert(differences.end(), relative.begin(), relative.end());
  AddStatistics("NPU", m, differences);
  AddStatistics("Bench", g, differences);
  differences.emplace_back("message", "");
  return differences;
}

constinit const MetricGroup kGroup = {
    .name = "msprobe-table",
    .summary = "the cells of msprobe's table",
    .cells = CellsOf,
    .statistics = StatisticCells,
};

// The cells of a row, by column; "N/A" where there is none.
class RowCells {
 public:
  explicit RowCells(const Row& row) {
    if (!row.legacy) return;
    for (const LegacyCells& group : *row.legacy) {
      if (group.tool != kGroup.name) continue;
      for (const auto& [name, text] : group.cells) texts_[name] = text;
    }
  }
  std::string At(std::string_view column) const {
    const auto found = texts_.find(column);
    return found == texts_.end() ? "N/A" : std::string(found->second);
  }
  std::string Message(const Row& row) const {
    const auto found = texts_.find("message");
    return std::string(found == texts_.end() ? row.why : found->second);
  }

 private:
  std::map<std::string_view, std::string_view> texts_;
};

// Spreadsheets take a bare inf for a name.
std::string Guarded(std::string text) { return text == "inf" ? " inf" : text; }

std::string TypeText(const Operand& operand) {
  const auto type = ParseDType(operand.dtype);
  return type ? TorchTypeText(*type) : operand.dtype;
}

bool ByStatistics(const Comparison& run) {
  for (const Row& row : run.rows) {
    if (row.evidence == "full") return false;
  }
  return !run.rows.empty();
}

std::span<const std::string_view> ModeColumns(bool statistics) {
  if (statistics) return kStatisticColumns;
  return kMsprobeMetrics;
}

CsvRow Header(bool statistics) {
  CsvRow row = {"NPU Name",          "Bench Name",         "NPU Dtype",
                "Bench Dtype",       "NPU Tensor Shape",   "Bench Tensor Shape",
                "NPU Requires_grad", "Bench Requires_grad"};
  const auto mode = ModeColumns(statistics);
  row.insert(row.end(), mode.begin(), mode.end());
  for (const char* side : {"NPU", "Bench"}) {
    for (const std::string_view name : kStatistics) {
      row.push_back(fmt::format("{} {}", side, name));
    }
  }
  row.insert(row.end(), {"Requires_grad Consistent", "Result", "Err_message"});
  if (!statistics) row.emplace_back("Data_name");
  return row;
}

// "Functional.linear.0.forward" of "Functional.linear.0.forward.input.0".
std::string ApiOf(const Row& row) {
  for (const char* port : {".input", ".output", ".parameters"}) {
    const size_t at = row.name.rfind(port);
    if (at != row.name.npos) return row.name.substr(0, at);
  }
  return row.op.empty() ? row.name : row.op;
}

ProbeRow MakeRow(const Row& row, bool statistics) {
  const RowCells cells(row);
  const Operand &m = row.target.front(), &g = row.golden.front();
  ProbeRow out = {
      .api = ApiOf(row),
      .is_output = row.port == "output",
      .npu_max = cells.At("NPU max"),
      .npu_min = cells.At("NPU min"),
      .bench_max = cells.At("Bench max"),
      .bench_min = cells.At("Bench min"),
      .types_differ = m.dtype != g.dtype,
      .shapes_differ = m.shape != g.shape,
      .cosine = statistics ? "" : cells.At("Cosine"),
      .thousandth = statistics ? "" : cells.At("One Thousandth Err Ratio"),
      .norm_relative = statistics ? cells.At("NormRelativeErr") : ""};
  out.cells = {row.name,
               row.name,
               TypeText(m),
               TypeText(g),
               TorchShapeText(m.shape),
               TorchShapeText(g.shape),
               "N/A",
               "N/A"};
  for (const std::string_view column : ModeColumns(statistics)) {
    out.cells.push_back(Guarded(cells.At(column)));
  }
  for (const char* side : {"NPU", "Bench"}) {
    for (const std::string_view name : kStatistics) {
      out.cells.push_back(Guarded(cells.At(fmt::format("{} {}", side, name))));
    }
  }
  return out;
}

// A JSON list of texts.
std::string ErrorList(const std::string& message) {
  return message.empty() ? "[]" : "[" + JsonQuoted(message) + "]";
}

Result<std::vector<Sheet>> Sheets(const TableRequest& request) {
  const Comparison& run = request.comparison;
  const bool statistics = ByStatistics(run);
  std::vector<ProbeRow> rows;
  for (const Row& row : run.rows) rows.push_back(MakeRow(row, statistics));
  DecideResults(rows);
  Sheet sheet = {"part_0", {Header(statistics)}};
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = run.rows[i];
    CsvRow& cells = rows[i].cells;
    cells.insert(cells.end(), {"True", rows[i].result,
                               ErrorList(RowCells(row).Message(row))});
    if (!statistics) cells.push_back(row.target.front().file);
    sheet.rows.push_back(std::move(cells));
  }
  return std::vector<Sheet>{std::move(sheet)};
}

Result<std::string> Text(const TableRequest& request) {
  ASSIGN_OR_RETURN(const std::vector<Sheet> sheets, Sheets(request));
  return CsvText(sheets.front().rows, LineEnd::kLf);
}

}  // namespace

extern constinit const OldTable kMsprobeTable = {
    .name = "msprobe",
    .summary = "compare_result_*.csv of msprobe compare",
    .group = &kGroup,
    .text = Text,
    .sheets = Sheets,
};

}  // namespace assay
