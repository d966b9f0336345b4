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

std::string VerdictText(const Comparison& c, const ReportOptions& options,
                        const Language& language) {
  return fmt::format(
      "{}: {} ({} {})\n", Colored(language.Word(c.verdict), c.verdict, options),
      Printable(language.Sentence(Headline(c))), language.Word("exit"), c.exit);
}

std::string ElementsText(const Row& row, const Language& language) {
  std::string text;
  for (size_t i = 0; i < std::min(kElements, row.worst.size()); ++i) {
    const Element& e = row.worst[i];
    const double g = e.golden.AsDouble(), t = e.target.AsDouble();
    int digits = 6;  // more where the two would look the same
    while (digits < 17 && RoundedText(g, digits) == RoundedText(t, digits)) {
      ++digits;
    }
    text += Item("", language.Sentence(fmt::format(
                         "at {}: golden {}, target {}", ToText(e.index),
                         RoundedText(g, digits), RoundedText(t, digits))));
  }
  return text;
}

// The first one with its worst elements, the others in a line each.
std::string SuspectsText(const Comparison& c, const Language& language) {
  std::string text;
  for (const Row* row : Suspects(c, kSuspects)) {
    const bool first = text.empty();
    const bool origin = row->cause == Cause::kOrigin;
    text += Item(language.Word(origin ? "origin" : "suspect"),
                 fmt::format("{}  {}", row->name, WhyIn(language, *row)));
    if (first) text += ElementsText(*row, language);
  }
  return text;
}

// What to give when rows stay unsure.
std::string NextText(const Comparison& c, const Language& language) {
  const bool unsure = c.counts[static_cast<size_t>(Verdict::kUnsure)] > 0;
  if (!unsure || c.noise) return "";
  return Item(
      language.Word("next"),
      language.Sentence("unsure rows: --noise SRC, another trusted run, "
                        "tells how much error is normal"));
}

std::string SummaryText(const Comparison& c, const Language& language) {
  std::string text;
  const auto add = [&](std::string_view label, const std::string& value) {
    text += Item(language.Word(label), value);
  };
  add("golden",
      SourceText(c.golden) + ": " + CoverageText(c.golden_coverage, language));
  add("target",
      SourceText(c.target) + ": " + CoverageText(c.target_coverage, language));
  if (c.noise) add("noise", SourceText(*c.noise));
  if (!c.strategy.empty()) add("pairing", c.strategy + ": " + c.why_strategy);
  add("rows", CountsText(c, language));
  return text;
}

std::string RowsText(const Comparison& c, const ReportOptions& options,
                     const Language& language) {
  const std::vector<const Row*> rows = WorstFirst(c, options.sort);
  const size_t shown = std::min(options.top, rows.size());
  std::string text;
  if (shown > 0) {
    text = "\n" + TerminalTable(std::span(rows).first(shown), options);
  }
  if (shown == rows.size()) return text;
  return text + MoreRowsText(std::span(rows).subspan(shown), language) + "\n";
}

std::string MoreText(size_t count, const Language& language) {
  return "  " + language.Sentence(fmt::format("… and {} more", count)) + "\n";
}

std::string UnpairedLine(const UnpairedTensor& tensor,
                         const Language& language) {
  std::string line = "  " + Printable(tensor.name);
  if (!tensor.file.empty() && tensor.file != tensor.name) {
    line += fmt::format("  ({})", Printable(tensor.file));
  }
  if (tensor.status != "unpaired") line += "  " + language.Word(tensor.status);
  if (!tensor.why.empty()) line += "  " + Printable(tensor.why);
  return line + "\n";
}

std::string UnpairedText(Side side, const Comparison& c,
                         const Language& language) {
  std::vector<const UnpairedTensor*> tensors = UnpairedOf(side, c);
  const size_t skipped = std::erase_if(
      tensors, [](const auto* t) { return t->status == "skipped"; });
  if (skipped > 0 && tensors.empty()) {
    return "\n" +
           language.Sentence(fmt::format("left out of {}: {}", Name(side),
                                         Counted(skipped, "tensor"))) +
           "\n";
  }
  if (tensors.empty()) return "";
  const size_t shown = std::min(kUnpaired, tensors.size());
  std::string text = "\n" +
                     language.Sentence(fmt::format(
                         "only in {} ({}):", Name(side), tensors.size())) +
                     "\n";
  for (size_t i = 0; i < shown; ++i) {
    text += UnpairedLine(*tensors[i], language);
  }
  if (shown == tensors.size()) return text;
  return text + MoreText(tensors.size() - shown, language);
}

std::string FindingsText(const Comparison& c, const Language& language) {
  if (c.findings.empty()) return "";
  std::string text = fmt::format("\n{}:\n", language.Word("findings"));
  const size_t shown = std::min(kFindings, c.findings.size());
  for (size_t i = 0; i < shown; ++i) {
    const Finding& finding = c.findings[i];
    const std::string place = finding.where.empty()
                                  ? ""
                                  : fmt::format(" {} {}", language.Word("at"),
                                                Printable(finding.where));
    text += fmt::format("  {}{}: {}\n", Printable(finding.rule), place,
                        Printable(language.Sentence(finding.text)));
    if (finding.next.empty()) continue;
    text += fmt::format("    {}: {}\n", language.Word("next"),
                        Printable(finding.next));
  }
  if (shown == c.findings.size()) return text;
  return text + MoreText(c.findings.size() - shown, language);
}

Status Print(const Comparison& c, const ReportOptions& options,
             const Sink& sink) {
  const Language language(options.lang);
  RETURN_IF_ERROR(sink(VerdictText(c, options, language)));
  RETURN_IF_ERROR(sink(SuspectsText(c, language)));
  RETURN_IF_ERROR(sink(NextText(c, language)));
  RETURN_IF_ERROR(sink(SummaryText(c, language)));
  RETURN_IF_ERROR(sink(FindingsText(c, language)));
  RETURN_IF_ERROR(sink(RowsText(c, options, language)));
  RETURN_IF_ERROR(sink(UnpairedText(Side::kGolden, c, language)));
  return sink(UnpairedText(Side::kTarget, c, language));
}

}  // namespace

extern constinit const Report kTextReport = {
    .name = "text",
    .suffix = ".txt",
    .summary = "what the terminal shows: verdict, coverage, the worst rows",
    .print = Print,
};

}  // namespace assay
