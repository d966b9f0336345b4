// What a tired person reads at midnight: the verdict, whom to look at, how
// much was compared, what to try next; then the worst rows, and what was left
// out.
#include <algorithm>

#include "base/text.h"
#include "base/utf8.h"
#include "reports/language.h"
#include "reports/report.h"
#include "reports/terminal_table.h"
#include "reports/wording.h"
#include "reports/worst_first.h"

namespace assay {
namespace {

constexpr size_t kSuspects = 5;
constexpr size_t kUnpaired = 10;  // per side
constexpr size_t kElements = 3;   // of the first suspect
constexpr size_t kFindings = 10;

std::string Item(std::string_view label, std::string_view text) {
  return fmt::format("  {:<9} {}\n", label, Printable(text));
}

std::string VerdictText(const Comparison& c, const ReportOptions& options) {
  return fmt::format(
      "{}: {} (exit {})\n",
      Colored(Language(options.lang).Word(c.verdict), c.verdict, options),
      Printable(Headline(c)), c.exit);
}

std::string ElementsText(const Row& row) {
  std::string text;
  for (size_t i = 0; i < std::min(kElements, row.worst.size()); ++i) {
    const Element& e = row.worst[i];
    const double g = e.golden.AsDouble(), t = e.target.AsDouble();
    int digits = 6;  // more where the two would look the same
    while (digits < 17 && RoundedText(g, digits) == RoundedText(t, digits)) {
      ++digits;
    }
    text +=
        Item("", fmt::format("at {}: golden {}, target {}", ToText(e.index),
                             RoundedText(g, digits), RoundedText(t, digits)));
  }
  return text;
}

// The first one with its worst elements, the others in a line each.
std::string SuspectsText(const Comparison& c) {
  std::string text;
  for (const Row* row : Suspects(c, kSuspects)) {
    const bool first = text.empty();
    const bool origin = row->cause == Cause::kOrigin;
    text += Item(origin ? "origin" : "suspect",
                 fmt::format("{}  {}", row->name, WhyText(*row)));
    if (first) text += ElementsText(*row);
  }
  return text;
}

// What to give when rows stay unsure.
std::string NextText(const Comparison& c) {
  const bool unsure = c.counts[static_cast<size_t>(Verdict::kUnsure)] > 0;
  if (!unsure || c.noise) return "";
  return Item("next",
              "unsure rows: --noise SRC, another trusted run, tells how much "
              "error is normal");
}

std::string SummaryText(const Comparison& c) {
  std::string text;
  text += Item("golden",
               SourceText(c.golden) + ": " + CoverageText(c.golden_coverage));
  text += Item("target",
               SourceText(c.target) + ": " + CoverageText(c.target_coverage));
  if (c.noise) text += Item("noise", SourceText(*c.noise));
  if (!c.strategy.empty()) {
    text += Item("pairing", c.strategy + ": " + c.why_strategy);
  }
  return text + Item("rows", CountsText(c));
}

std::string RowsText(const Comparison& c, const ReportOptions& options) {
  const std::vector<const Row*> rows = WorstFirst(c, options.sort);
  const size_t shown = std::min(options.top, rows.size());
  std::string text;
  if (shown > 0) {
    text = "\n" + TerminalTable(std::span(rows).first(shown), options);
  }
  if (shown == rows.size()) return text;
  return text + MoreRowsText(std::span(rows).subspan(shown)) + "\n";
}

std::string UnpairedLine(const UnpairedTensor& tensor) {
  std::string line = "  " + Printable(tensor.name);
  if (!tensor.file.empty() && tensor.file != tensor.name) {
    line += fmt::format("  ({})", Printable(tensor.file));
  }
  if (tensor.status != "unpaired") line += "  " + Printable(tensor.status);
  if (!tensor.why.empty()) line += "  " + Printable(tensor.why);
  return line + "\n";
}

std::string UnpairedText(Side side, const Comparison& c) {
  std::vector<const UnpairedTensor*> tensors = UnpairedOf(side, c);
  const size_t skipped = std::erase_if(
      tensors, [](const auto* t) { return t->status == "skipped"; });
  if (skipped > 0 && tensors.empty()) {
    return fmt::format("\nleft out of {}: {}\n", Name(side),
                       Counted(skipped, "tensor"));
  }
  if (tensors.empty()) return "";
  const size_t shown = std::min(kUnpaired, tensors.size());
  std::string text =
      fmt::format("\nonly in {} ({}):\n", Name(side), tensors.size());
  for (size_t i = 0; i < shown; ++i) text += UnpairedLine(*tensors[i]);
  if (shown == tensors.size()) return text;
  return text + fmt::format("  … and {} more\n", tensors.size() - shown);
}

std::string FindingsText(const Comparison& c, const ReportOptions& options) {
  const Language language(options.lang);
  std::string text = c.findings.empty() ? "" : "\nfindings:\n";
  const size_t shown = std::min(kFindings, c.findings.size());
  for (size_t i = 0; i < shown; ++i) {
    const Finding& finding = c.findings[i];
    const std::string place =
        finding.where.empty() ? "" : " at " + Printable(finding.where);
    text += fmt::format("  {}{}: {}\n", Printable(finding.rule), place,
                        Printable(language.Sentence(finding.text)));
    if (finding.next.empty()) continue;
    text += fmt::format("    next: {}\n", Printable(finding.next));
  }
  if (shown == c.findings.size()) return text;
  return text + fmt::format("  … and {} more\n", c.findings.size() - shown);
}

Status Print(const Comparison& c, const ReportOptions& options,
             const Sink& sink) {
  RETURN_IF_ERROR(sink(VerdictText(c, options)));
  RETURN_IF_ERROR(sink(SuspectsText(c)));
  RETURN_IF_ERROR(sink(NextText(c)));
  RETURN_IF_ERROR(sink(SummaryText(c)));
  RETURN_IF_ERROR(sink(FindingsText(c, options)));
  RETURN_IF_ERROR(sink(RowsText(c, options)));
  RETURN_IF_ERROR(sink(UnpairedText(Side::kGolden, c)));
  return sink(UnpairedText(Side::kTarget, c));
}

}  // namespace

extern constinit const Report kTextReport = {
    .name = "text",
    .suffix = ".txt",
    .summary = "what the terminal shows: verdict, coverage, the worst rows",
    .print = Print,
};

}  // namespace assay
