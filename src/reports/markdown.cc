// For pull requests and wikis: summary, findings, the worst rows, unpaired
// tensors.
#include <algorithm>

#include "base/utf8.h"
#include "reports/language.h"
#include "reports/report.h"
#include "reports/wording.h"
#include "reports/worst_first.h"

namespace assay {
namespace {

// Text that Markdown leaves as it is, on one line, in a table cell too.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : Printable(text)) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '>') {
      escaped += "&gt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      if (std::string_view("\\`*_[]|#~").find(c) != std::string_view::npos) {
        escaped += '\\';
      }
      escaped += c;
    }
  }
  return escaped;
}

std::string SummaryText(const Comparison& c, const Language& language) {
  const auto item = [](std::string_view label, std::string_view text) {
    return fmt::format("- {}: {}\n", label, Escaped(text));
  };
  std::string text =
      fmt::format("# assay: {}\n\n{} (exit {})\n\n", language.Word(c.verdict),
                  Escaped(Headline(c)), c.exit);
  text += item("rows", CountsText(c));
  text += item("golden",
               SourceText(c.golden) + ": " + CoverageText(c.golden_coverage));
  text += item("target",
               SourceText(c.target) + ": " + CoverageText(c.target_coverage));
  if (c.noise) text += item("noise", SourceText(*c.noise));
  if (!c.strategy.empty()) {
    text += item("pairing", c.strategy + ": " + c.why_strategy);
  }
  return text;
}

std::string SuspectsText(const Comparison& c) {
  const std::vector<const Row*> suspects = Suspects(c, 5);
  if (suspects.empty()) return "";
  std::string text =
      fmt::format("\n## {}\n\n", c.origins.empty() ? "Suspects" : "Origins");
  for (const Row* row : suspects) {
    text += fmt::format("- **{}** {}\n", Escaped(row->name),
                        Escaped(WhyText(*row)));
  }
  return text;
}

std::string RowText(const Row& row, const Language& language) {
  std::string why(WhyText(row));
  const std::string where = row.error ? row.error->Where() : "";
  if (!where.empty()) why += fmt::format(" (in {})", where);
  return fmt::format("| {} | {} | {} | {} | {} | {} | {} | {} |\n",
                     Escaped(row.name), language.Word(row.verdict),
                     MetricCell(row, "cosine"), MetricCell(row, "rel_l2"),
                     MetricCell(row, "max_abs"), FloorCell(row),
                     MarginCell(row), Escaped(why));
}

std::string RowsText(const Comparison& c, const ReportOptions& options) {
  const std::vector<const Row*> rows = WorstFirst(c, options.sort);
  if (rows.empty()) return "";
  const size_t shown = std::min(options.top, rows.size());
  const Language language(options.lang);
  std::string text =
      "\n## Rows\n\n"
      "| operator | verdict | cosine | rel_l2 | max_abs | floor | margin | why "
      "|\n|---|---|--:|--:|--:|--:|--:|---|\n";
  for (size_t i = 0; i < shown; ++i) text += RowText(*rows[i], language);
  if (shown == rows.size()) return text;
  return text + "\n" + MoreRowsText(std::span(rows).subspan(shown)) + "\n";
}

std::string UnpairedText(Side side, const Comparison& c, size_t most) {
  const std::vector<const UnpairedTensor*> tensors = UnpairedOf(side, c);
  if (tensors.empty()) return "";
  std::string text = fmt::format(
      "\n## Only in {} ({})\n\n| tensor | file | status | why |\n"
      "|---|---|---|---|\n",
      Name(side), tensors.size());
  for (size_t i = 0; i < std::min(most, tensors.size()); ++i) {
    const UnpairedTensor& tensor = *tensors[i];
    text += fmt::format("| {} | {} | {} | {} |\n", Escaped(tensor.name),
                        Escaped(tensor.file), Escaped(tensor.status),
                        Escaped(tensor.why));
  }
  if (tensors.size() <= most) return text;
  return text + fmt::format("\n… and {} more\n", tensors.size() - most);
}

std::string FindingsText(const Comparison& c, const Language& language) {
  std::string text = c.findings.empty() ? "" : "\n## Findings\n\n";
  for (const Finding& finding : c.findings) {
    text += fmt::format("- **{}** {}: {}\n", Escaped(finding.rule),
                        Escaped(finding.where),
                        Escaped(language.Sentence(finding.text)));
    if (finding.next.empty()) continue;
    text += fmt::format("  Next: {}\n", Escaped(finding.next));
  }
  return text;
}

Status Print(const Comparison& c, const ReportOptions& options,
             const Sink& sink) {
  const Language language(options.lang);
  RETURN_IF_ERROR(sink(SummaryText(c, language)));
  RETURN_IF_ERROR(sink(SuspectsText(c)));
  RETURN_IF_ERROR(sink(FindingsText(c, language)));
  RETURN_IF_ERROR(sink(RowsText(c, options)));
  RETURN_IF_ERROR(sink(UnpairedText(Side::kGolden, c, options.top)));
  return sink(UnpairedText(Side::kTarget, c, options.top));
}

}  // namespace

extern constinit const Report kMarkdownReport = {
    .name = "markdown",
    .suffix = ".md",
    .summary = "summary and the worst rows, for pull requests",
    .print = Print,
};

}  // namespace assay
