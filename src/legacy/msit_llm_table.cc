// The table of msit llm compare: of TorchAir dumps as it is, of any other two
// with a row for each of ours; those that cannot be compared say why.
#include <algorithm>
#include <map>

#include "legacy/llm_run.h"
#include "legacy/old_table.h"

namespace assay {

extern const MetricGroup kMsitGroup;

namespace {

using Texts = std::map<std::string_view, std::string_view>;

Texts TextsOf(const Row& row) {
  Texts texts;
  if (!row.legacy) return texts;
  for (const LegacyCells& group : *row.legacy) {
    if (group.tool != kMsitGroup.name) continue;
    for (const auto& [name, text] : group.cells) texts[name] = text;
  }
  return texts;
}

CsvRow CellsOf(const Row& row, const TableRequest& request) {
  const Texts texts = TextsOf(row);
  const Comparison& run = request.comparison;
  const std::map<std::string_view, std::string> own = {
      {"token_id", std::to_string(row.step.value_or(0))},
      {"data_id", std::to_string(row.number)},
      {"golden_data_path", FullPathOf(run.golden, row.golden.front())},
      {"golden_op_type", row.type},
      {"my_data_path", FullPathOf(run.target, row.target.front())},
      {"my_op_type", row.type}};
  CsvRow cells;
  for (const std::string_view column : LlmColumns()) {
    if (const auto found = own.find(column); found != own.end()) {
      cells.push_back(found->second);
    } else if (const auto text = texts.find(column); text != texts.end()) {
      cells.push_back(PandasText(text->second));
    } else {
      cells.emplace_back(column == "cmp_fail_reason" ? row.why : "");
    }
  }
  return cells;
}

// The tables of all ranks and graphs, one below the other.
Result<std::vector<Sheet>> TorchairSheets(const CompareOptions& options) {
  const LlmSources sources = {.golden = options.golden,
                              .my = options.target,
                              .say = [](const std::string&) {}};
  ASSIGN_OR_RETURN(const auto plan, PlanLlm(sources));
  Sheet sheet = {"compare", LlmTable({})};
  for (const LlmReport& report : plan->reports) {
    const auto table = LlmTable(KeptRows(RunLlm(*plan, report, sources)));
    sheet.rows.insert(sheet.rows.end(), table.begin() + 1, table.end());
  }
  return std::vector<Sheet>{std::move(sheet)};
}

Result<std::vector<Sheet>> Sheets(const TableRequest& request) {
  if (IsTorchair(request.options.target)) {
    return TorchairSheets(request.options);
  }
  const auto columns = LlmColumns();
  Sheet sheet = {"compare", {CsvRow(columns.begin(), columns.end())}};
  for (const Row& row : request.comparison.rows) {
    sheet.rows.push_back(CellsOf(row, request));
  }
  return std::vector<Sheet>{std::move(sheet)};
}

Result<std::string> Text(const TableRequest& request) {
  ASSIGN_OR_RETURN(const std::vector<Sheet> sheets, Sheets(request));
  return CsvText(sheets.front().rows, LineEnd::kLf);
}

}  // namespace

extern constinit const OldTable kMsitLlmTable = {
    .name = "msit-llm",
    .summary = "msit_cmp_report_*.csv of msit llm compare",
    .group = &kMsitGroup,
    .text = Text,
    .sheets = Sheets,
};

}  // namespace assay
