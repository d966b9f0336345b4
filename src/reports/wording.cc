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

std::string CountsText(const Counts& counts) {
  std::string text;
  for (const Verdict verdict : kWorstFirst) {
    const uint64_t count = counts[static_cast<size_t>(verdict)];
    if (count == 0) continue;
    text +=
        fmt::format("{}{} {}", text.empty() ? "" : ", ", count, Name(verdict));
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
  return fmt::format("{} {} the error; {}", fmt::join(c.origins, ", "),
                     c.origins.size() == 1 ? "makes" : "make", rows);
}

std::string CountsText(const Comparison& c) {
  std::string text = CountsText(c.counts);
  return text.empty() ? "no rows" : text;
}

std::string CoverageText(const SideCoverage& side) {
  if (side.total == 0) return "no tensors";
  std::string text =
      fmt::format("{} of {} tensors compared ({})", side.compared, side.total,
                  Percent(side.compared, side.total));
  if (side.unpaired) text += fmt::format(", {} unpaired", side.unpaired);
  if (side.skipped) text += fmt::format(", {} skipped", side.skipped);
  if (side.error) text += fmt::format(", {} error", side.error);
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

std::string MoreRowsText(std::span<const Row* const> hidden) {
  Counts counts{};
  for (const Row* row : hidden) ++counts[static_cast<size_t>(row->verdict)];
  const bool alike = std::ranges::count(counts, hidden.size()) == 1;
  return fmt::format("… and {} more {} ({})", hidden.size(),
                     hidden.size() == 1 ? "row" : "rows",
                     alike ? Name(hidden[0]->verdict) : CountsText(counts));
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
