// A workbook: the verdict, the table, and what to do.
#include "base/text.h"
#include "base/workbook.h"
#include "reports/cell_table.h"
#include "reports/report.h"
#include "reports/wording.h"

namespace assay {
namespace {

using Cells = std::vector<WorkbookCell>;

// A sheet of the lines 0 .. count - 1.
template <typename Line>
WorkbookSheet Sheet(std::string name, size_t count, const Line& line) {
  return {std::move(name), [line, count, at = size_t{0}](Cells& cells) mutable {
            if (at == count) return false;
            cells = line(at++);
            return true;
          }};
}

Cells FromLine(CellTable::Line line) {
  Cells cells;
  for (CellTable::Cell& cell : line) {
    cells.push_back(
        {std::move(cell.text), cell.kind == CellTable::Kind::kNumber});
  }
  return cells;
}

std::vector<Cells> Summary(const Comparison& c, const Language& language) {
  const auto side = [&](std::string_view name, const SourceLabel& label,
                        const SideCoverage& coverage) -> Cells {
    return {{language.Word(name)},
            {SourceText(label)},
            {CoverageText(coverage, language)}};
  };
  std::vector<Cells> lines = {
      {{"assay"}, {language.Word(c.verdict)}, {language.Sentence(Headline(c))}},
      {{language.Word("exit")}, {std::to_string(c.exit), true}},
      {{language.Word("rows")}, {CountsText(c, language)}},
      side("golden", c.golden, c.golden_coverage),
      side("target", c.target, c.target_coverage),
      {{language.Word("pairing")}, {c.strategy}, {c.why_strategy}}};
  if (c.noise)
    lines.push_back({{language.Word("noise")}, {SourceText(*c.noise)}});
  for (const std::string& origin : c.origins) {
    lines.push_back({{language.Word("origin")}, {origin}});
  }
  return lines;
}

Cells FindingCells(const Finding& f, const Language& language) {
  return {{f.rule}, {f.where}, {language.Sentence(f.text)}, {f.next}};
}

Status Write(const Comparison& c, const ReportOptions& options,
             OutputFile& file) {
  const Language language(options.lang);
  const std::vector<Cells> summary = Summary(c, language);
  const CellTable table(c);
  const std::vector<WorkbookSheet> sheets = {
      Sheet("summary", summary.size(), [&](size_t i) { return summary[i]; }),
      Sheet("rows", 1 + c.rows.size() + c.unpaired.size(),
            [&](size_t i) {
              if (i == 0) return FromLine(table.Head());
              if (i <= c.rows.size()) return FromLine(table.Of(c.rows[i - 1]));
              return FromLine(table.Of(c.unpaired[i - 1 - c.rows.size()]));
            }),
      Sheet("findings", 1 + c.findings.size(), [&](size_t i) {
        if (i == 0) return Cells{{"rule"}, {"where"}, {"text"}, {"next"}};
        return FindingCells(c.findings[i - 1], language);
      })};
  return WriteWorkbook(file, sheets);
}

}  // namespace

extern constinit const Report kXlsxReport = {
    .name = "xlsx",
    .suffix = ".xlsx",
    .summary = "a workbook: the verdict, the table of csv, the findings",
    .write = Write,
    .check = CheckWorkbooks,
};

}  // namespace assay
