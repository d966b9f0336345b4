#include "reports/wording.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "reports/worst_first.h"

namespace assay {
namespace {

constexpr Verdict kWorstFirst[] = {Verdict::kError,   Verdict::kFail,
                                   Verdict::kUnsure,  Verdict::kSkipped,
                                   Verdict::kTrivial, Verdict::kPass};

using Counts = std::array<uint64_t, kVerdicts>;

std::string CountsText(const Counts& counts, const Language& language) {
  std::string text;
  for (const Verdict verdict : kWorstFirst) {
    const uint64_t count = counts[static_cast<size_t>(verdict)];
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count,
                        language.Word(verdict));
  }
  return text;
}

// Never "100%" for less than everything.
std::string Percent(uint64_t part, uint64_t whole) {
  if (part == whole) return "100%";
  const double percent =
      100 * static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:.1f}%", std::min(percent, 99.9));
}

std::string Rounded(std::optional<double> value) {
  return value ? RoundedText(*value) : "-";
}

std::string_view Predicate(Verdict verdict) {
  static constexpr std::string_view kPredicates[kVerdicts] = {
      "pass",        "fail",         "are unsure",
      "are trivial", "were skipped", "could not be compared"};
  return kPredicates[static_cast<size_t>(verdict)];
}

bool IsOriginOf(const Row& row, const std::string& op) {
  return row.op == op && row.cause == Cause::kOrigin;
}

bool IsSuspect(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

}  // namespace

std::string Headline(const Comparison& c) {
  if (!c.why.empty()) return c.why;
  if (c.rows.empty()) return "nothing was compared";
  std::string rows =
      fmt::format("{} of {} rows {}", c.counts[static_cast<size_t>(c.verdict)],
                  c.rows.size(), Predicate(c.verdict));
  if (c.origins.empty()) return rows;
  const bool sure = c.counts[static_cast<size_t>(Verdict::kFail)] > 0;
  const std::string_view verb = !sure                   ? "may make"
                                : c.origins.size() == 1 ? "makes"
                                                        : "make";
  return fmt::format("{} {} the error; {}", fmt::join(c.origins, ", "), verb,
                     rows);
}

std::string CountsText(const Comparison& c, const Language& language) {
  std::string text = CountsText(c.counts, language);
  return text.empty() ? language.Sentence("no rows") : text;
}

std::string CoverageText(const SideCoverage& side, const Language& language) {
  if (side.total == 0) return language.Sentence("no tensors");
  std::string text = language.Sentence(
      fmt::format("{} of {} tensors compared ({})", side.compared, side.total,
                  Percent(side.compared, side.total)));
  const std::pair<std::string_view, uint64_t> others[] = {
      {"unpaired", side.unpaired},
      {"skipped", side.skipped},
      {"error", side.error}};
  for (const auto& [word, count] : others) {
    if (count) text += fmt::format(", {} {}", count, language.Word(word));
  }
  return text;
}

std::string SourceText(const SourceLabel& label) {
  std::vector<std::string> notes;
  if (!label.kind.empty()) notes.push_back(label.kind);
  if (!label.graph.empty()) notes.push_back("graph " + label.graph);
  if (notes.empty()) return label.source;
  return fmt::format("{} ({})", label.source, fmt::join(notes, ", "));
}

std::string_view WhyText(const Row& row) {
  return row.why.empty() && row.error ? row.error->what : row.why;
}

std::string WhyIn(const Language& language, const Row& row) {
  return row.error ? std::string(WhyText(row))
                   : language.Sentence(WhyText(row));
}

std::string MoreRowsText(std::span<const Row* const> hidden,
                         const Language& language) {
  Counts counts{};
  for (const Row* row : hidden) ++counts[static_cast<size_t>(row->verdict)];
  const bool alike = std::ranges::count(counts, hidden.size()) == 1;
  return language.Sentence(fmt::format("… and {} more {} ({})", hidden.size(),
                                       hidden.size() == 1 ? "row" : "rows",
                                       alike ? language.Word(hidden[0]->verdict)
                                             : CountsText(counts, language)));
}

std::vector<const Row*> Suspects(const Comparison& c, size_t most) {
  std::vector<const Row*> suspects;
  for (const std::string& op : c.origins) {
    const auto row = std::ranges::find_if(
        c.rows, [&](const Row& r) { return IsOriginOf(r, op); });
    if (row != c.rows.end()) suspects.push_back(&*row);
  }
  for (const Row& row : c.rows) {
    const bool open = row.verdict == Verdict::kFail && !suspects.empty() &&
                      row.cause == Cause::kUnknown;
    if (open) suspects.push_back(&row);
  }
  if (suspects.empty()) {
    suspects = WorstFirst(c);
    std::erase_if(suspects, [](const Row* row) { return !IsSuspect(*row); });
  }
  if (suspects.size() > most) suspects.resize(most);
  return suspects;
}

std::vector<const UnpairedTensor*> UnpairedOf(Side side, const Comparison& c) {
  std::vector<const UnpairedTensor*> tensors;
  for (const UnpairedTensor& tensor : c.unpaired) {
    if (tensor.side == side) tensors.push_back(&tensor);
  }
  return tensors;
}

std::string MetricCell(const Row& row, std::string_view metric) {
  return Rounded(row.metrics.Get(metric));
}

std::string FloorCell(const Row& row) {
  return row.floor ? Rounded(row.floor->value) : "-";
}

std::string MarginCell(const Row& row) {
  if (!row.floor || !row.floor->margin) return "-";
  const double margin = *row.floor->margin;
  return RoundedText(margin) + (std::isfinite(margin) ? "x" : "");
}

}  // namespace assay
