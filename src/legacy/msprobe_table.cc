// compare_result_*.csv of msprobe: a row per tensor, by its values or, where a
// dump has no more than that, by its statistics.
#include <fmt/format.h>

#include <map>

#include "base/json_writer.h"
#include "core/tensor_summary.h"
#include "legacy/msit_metrics.h"
#include "legacy/msprobe_facts.h"
#include "legacy/msprobe_metrics.h"
#include "legacy/msprobe_result.h"
#include "legacy/msprobe_statistics.h"
#include "legacy/numpy.h"
#include "legacy/old_table.h"
#include "legacy/probe_sheet.h"

namespace assay {
namespace {

using Mode = ProbeMode;

constexpr std::string_view kStatistics[] = {"max", "min", "mean", "l2norm"};

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
  const bool torch = pair.my_file.ends_with(".pt");
  ASSIGN_OR_RETURN(const MsprobeAnswer answer,
                   AskMsprobe(pair.job, torch ? ProbeShapes::kSqueezed
                                              : ProbeShapes::kExact));
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
  const auto columns = ProbeModeColumns(Mode::kSummary);
  Cells differences, relative;
  for (size_t i = 0; i < m.size(); ++i) {
    const StatisticDifference both = CompareStatistic(m[i], g[i]);
    differences.emplace_back(columns[i], both.difference);
    relative.emplace_back(columns[i + 4], both.relative);
  }
  differences.insert(differences.end(), relative.begin(), relative.end());
  AddStatistics("NPU", m, differences);
  AddStatistics("Bench", g, differences);
  const auto hashes = ProbeModeColumns(Mode::kHash);
  differences.emplace_back(hashes[0], my.hash.empty() ? "N/A" : my.hash);
  differences.emplace_back(hashes[1],
                           golden.hash.empty() ? "N/A" : golden.hash);
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
  std::string At(std::string_view column, const char* otherwise = "N/A") const {
    const auto found = texts_.find(column);
    return found == texts_.end() ? otherwise : std::string(found->second);
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

Mode ModeOf(const Comparison& run) {
  bool hashes = false;
  for (const Row& row : run.rows) {
    if (row.evidence == "full") return Mode::kReal;
    hashes |= row.evidence == "hash";
  }
  if (run.rows.empty()) return Mode::kReal;
  return hashes ? Mode::kHash : Mode::kSummary;
}

// "Functional.linear.0.forward" of "Functional.linear.0.forward.input.0".
std::string ApiOf(const Row& row) {
  for (const char* port : {".input", ".output", ".parameters"}) {
    const size_t at = row.name.rfind(port);
    if (at != row.name.npos) return row.name.substr(0, at);
  }
  return row.op.empty() ? row.name : row.op;
}

// One side of a row, as the table shows it.
struct ProbeSide {
  std::string name, dtype, shape, grad = "N/A", data_name;
  std::optional<std::array<std::string, 4>> statistics;  // of dump.json
};

// "x.input.0" of "dump_tensor_data/x.input.0.pt".
std::string NameOfFile(const std::string& file) {
  const size_t begin = file.rfind('/') + 1;
  return file.substr(begin, file.rfind('.') - begin);
}

ProbeSide SideOf(const Row& row, const Operand& operand,
                 const MsprobeFacts& facts) {
  ProbeSide side = {
      .name = row.name,
      .dtype = TypeText(operand),
      .shape = TorchShapeText(operand.shape),
      .data_name = operand.file.substr(operand.file.rfind('/') + 1)};
  for (const std::string& name :
       {operand.tensor, NameOfFile(operand.file), row.name}) {
    const MsprobeTensor* fact = facts.Find(name, row.step, row.rank);
    if (fact == nullptr) continue;
    side.name = fact->Name();
    side.dtype = fact->dtype;
    if (fact->requires_grad)
      side.grad = *fact->requires_grad ? "True" : "False";
    if (fact->summary.max) side.statistics = TextsOf(fact->summary);
    break;
  }
  return side;
}

// The cells of a table's sides, and how they are shown.
struct TableSides {
  MsprobeFacts golden, my;
  Mode mode = Mode::kReal;
};

void AddTexts(const RowCells& cells, std::string_view prefix,
              const ProbeSide& side, CsvRow& out) {
  for (size_t i = 0; i < std::size(kStatistics); ++i) {
    out.push_back(
        Guarded(side.statistics
                    ? (*side.statistics)[i]
                    : cells.At(fmt::format("{} {}", prefix, kStatistics[i]))));
  }
}

ProbeRow MakeRow(const Row& row, const TableSides& sides) {
  const RowCells cells(row);
  const bool statistics = sides.mode == Mode::kSummary;
  const bool real = sides.mode == Mode::kReal;
  const ProbeSide m = SideOf(row, row.target.front(), sides.my);
  const ProbeSide g = SideOf(row, row.golden.front(), sides.golden);
  const auto hash = [&](size_t i) {
    return cells.At(ProbeModeColumns(Mode::kHash)[i]);
  };
  ProbeRow out = {
      .api = ApiOf(row),
      .is_output = row.port == "output",
      .npu_max = cells.At("NPU max"),
      .npu_min = cells.At("NPU min"),
      .bench_max = cells.At("Bench max"),
      .bench_min = cells.At("Bench min"),
      .types_differ = m.dtype != g.dtype,
      .shapes_differ = row.target.front().shape != row.golden.front().shape,
      .grads_differ = m.grad != "N/A" && g.grad != "N/A" && m.grad != g.grad,
      .hashes_differ = sides.mode == Mode::kHash && hash(0) != hash(1),
      .hash_missing =
          sides.mode == Mode::kHash && (hash(0) == "N/A" || hash(1) == "N/A"),
      .cosine = real ? cells.At("Cosine") : "",
      .thousandth = real ? cells.At("One Thousandth Err Ratio") : "",
      .norm_relative = statistics ? cells.At("NormRelativeErr") : ""};
  if (out.hash_missing) out.hashes_differ = false;
  out.cells = {m.name,  g.name,  m.dtype, g.dtype,
               m.shape, g.shape, m.grad,  g.grad};
  for (const std::string_view column : ProbeModeColumns(sides.mode)) {
    out.cells.push_back(Guarded(cells.At(column)));
  }
  if (sides.mode != Mode::kHash) {
    AddTexts(cells, "NPU", m, out.cells);
    AddTexts(cells, "Bench", g, out.cells);
  }
  out.grad_consistent = m.grad == g.grad ? "True" : "False";
  out.data_name = fmt::format("['{}', '{}']", m.data_name, g.data_name);
  return out;
}

// A JSON list of texts.
std::string ErrorList(const std::string& message) {
  return message.empty() ? "[]" : "[" + JsonQuoted(message) + "]";
}

// Of a tensor that only the device's side has: N/A wherever a bench is needed.
CsvRow UnmatchedCells(const UnpairedTensor& tensor, const TableSides& sides,
                      size_t columns) {
  CsvRow cells(columns, "N/A");
  cells[0] = tensor.name;
  const MsprobeTensor* fact = sides.my.Find(tensor.name, {}, {});
  if (fact != nullptr) {
    cells[2] = fact->dtype;
    cells[4] = TorchShapeText(fact->shape);
    if (fact->requires_grad) cells[6] = *fact->requires_grad ? "True" : "False";
  }
  const size_t tail = sides.mode == Mode::kReal ? 4 : 3;
  cells[columns - tail] = "False";
  cells[columns - tail + 2] = ErrorList("no bench data matched");
  return cells;
}

// Of sources that msprobe did not write: the rows that were compared.
Sheet SheetOfRows(const TableRequest& request) {
  const Comparison& run = request.comparison;
  const TableSides sides = {MsprobeFacts::Read(request.options.golden),
                            MsprobeFacts::Read(request.options.target),
                            ModeOf(run)};
  std::vector<ProbeRow> rows;
  for (const Row& row : run.rows) rows.push_back(MakeRow(row, sides));
  DecideResults(rows);
  Sheet sheet = {"part_0", {ProbeHeader({sides.mode})}};
  for (size_t i = 0; i < rows.size(); ++i) {
    const Row& row = run.rows[i];
    rows[i].messages = {RowCells(row).Message(row)};
    sheet.rows.push_back(FinishProbeRow({sides.mode}, std::move(rows[i])));
  }
  for (const UnpairedTensor& tensor : run.unpaired) {
    if (tensor.side != Side::kTarget) continue;
    sheet.rows.push_back(
        UnmatchedCells(tensor, sides, sheet.rows.front().size()));
  }
  return sheet;
}

Result<std::vector<Sheet>> Sheets(const TableRequest& request) {
  // Values that dump.json speaks of, and no file has, are no error there.
  const auto metrics = [](const Row& row) {
    std::vector<std::string> cells;
    for (const std::string_view metric : kMsprobeMetrics) {
      cells.push_back(RowCells(row).At(metric, "unsupported"));
    }
    return cells;
  };
  if (auto sheet = MakeProbeSheet(request, metrics)) {
    return std::vector<Sheet>{*std::move(sheet)};
  }
  return std::vector<Sheet>{SheetOfRows(request)};
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
