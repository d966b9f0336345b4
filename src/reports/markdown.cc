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
  const auto item = [&](std::string_view label, std::string_view text) {
    return fmt::format("- {}: {}\n", language.Word(label), Escaped(text));
  };
  std::string text = fmt::format(
      "# assay: {}\n\n{} ({} {})\n\n", language.Word(c.verdict),
      Escaped(language.Sentence(Headline(c))), language.Word("exit"), c.exit);
  text += item("rows", CountsText(c, language));
  text += item("golden", SourceText(c.golden) + ": " +
                             CoverageText(c.golden_coverage, language));
  text += item("target", SourceText(c.target) + ": " +
                             CoverageText(c.target_coverage, language));
  if (c.noise) text += item("noise", SourceText(*c.noise));
  if (!c.strategy.empty()) {
    text += item("pairing", c.strategy + ": " + c.why_strategy);
  }
  return text;
}

std::string SuspectsText(const Comparison& c, const Language& language) {
  const std::vector<const Row*> suspects = Suspects(c, 5);
  if (suspects.empty()) return "";
  std::string text = fmt::format(
      "\n## {}\n\n", language.Word(c.origins.empty() ? "Suspects" : "Origins"));
  for (const Row* row : suspects) {
    text += fmt::format("- **{}** {}\n", Escaped(row->name),
                        Escaped(WhyIn(language, *row)));
  }
  return text;
}

std::string RowText(const Row& row, const Language& language) {
  std::string why = WhyIn(language, row);
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
  std::string text = fmt::format(
      "\n## {}\n\n| {} | {} | cosine | rel_l2 | max_abs | {} | {} | {} |\n"
      "|---|---|--:|--:|--:|--:|--:|---|\n",
      language.Word("Rows"), language.Word("operator"),
      language.Word("verdict"), language.Word("floor"), language.Word("margin"),
      language.Word("why"));
  for (size_t i = 0; i < shown; ++i) text += RowText(*rows[i], language);
  if (shown == rows.size()) return text;
  return text + "\n" + MoreRowsText(std::span(rows).subspan(shown), language) +
         "\n";
}

std::string UnpairedText(Side side, const Comparison& c,
                         const ReportOptions& options) {
  const Language language(options.lang);
  const size_t most = options.top;
  const std::vector<const UnpairedTensor*> tensors = UnpairedOf(side, c);
  if (tensors.empty()) return "";
  std::string text =
      fmt::format("\n## {}\n\n| {} | {} | {} | {} |\n|---|---|---|---|\n",
                  language.Sentence(fmt::format("Only in {} ({})", Name(side),
                                                tensors.size())),
                  language.Word("tensor"), language.Word("file"),
                  language.Word("status"), language.Word("why"));
  for (size_t i = 0; i < std::min(most, tensors.size()); ++i) {
    const UnpairedTensor& tensor = *tensors[i];
    text += fmt::format("| {} | {} | {} | {} |\n", Escaped(tensor.name),
                        Escaped(tensor.file), language.Word(tensor.status),
                        Escaped(tensor.why));
  }
  if (tensors.size() <= most) return text;
  return text + "\n" +
         language.Sentence(
             fmt::format("… and {} more", tensors.size() - most)) +
         "\n";
}

std::string FindingsText(const Comparison& c, const Language& language) {
  if (c.findings.empty()) return "";
  std::string text = fmt::format("\n## {}\n\n", language.Word("Findings"));
  for (const Finding& finding : c.findings) {
    text += fmt::format("- **{}** {}: {}\n", Escaped(finding.rule),
                        Escaped(finding.where),
                        Escaped(language.Sentence(finding.text)));
    if (finding.next.empty()) continue;
    text +=
        fmt::format("  {}: {}\n", language.Word("Next"), Escaped(finding.next));
  }
  return text;
}

Status Print(const Comparison& c, const ReportOptions& options,
             const Sink& sink) {
  const Language language(options.lang);
  RETURN_IF_ERROR(sink(SummaryText(c, language)));
  RETURN_IF_ERROR(sink(SuspectsText(c, language)));
  RETURN_IF_ERROR(sink(FindingsText(c, language)));
  RETURN_IF_ERROR(sink(RowsText(c, options)));
  RETURN_IF_ERROR(sink(UnpairedText(Side::kGolden, c, options)));
  return sink(UnpairedText(Side::kTarget, c, options));
}

}  // namespace

extern constinit const Report kMarkdownReport = {
    .name = "markdown",
    .suffix = ".md",
    .summary = "summary and the worst rows, for pull requests",
    .print = Print,
};

}  // namespace assay
