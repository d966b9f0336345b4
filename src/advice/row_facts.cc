#include "advice/row_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"

namespace assay {
namespace {

std::optional<DType> TypeOf(const std::vector<Operand>& operands) {
  if (operands.empty()) return std::nullopt;
  return ParseDType(operands.front().dtype);
}

// As a shell takes it.
std::string Quoted(std::string_view word) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_./:-+,=@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) {
    return std::string(word);
  }
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

}  // namespace

bool IsBad(const Row& row) {
  return row.verdict == Verdict::kFail || row.verdict == Verdict::kUnsure;
}

bool IsSuspect(const Row& row) {
  return IsBad(row) && row.cause != Cause::kInherited;
}

std::vector<const Row*> SuspectsThat(const Comparison& c,
                                     bool (*test)(const Row& row)) {
  std::vector<const Row*> found;
  for (const Row& row : c.rows) {
    if (found.size() == kMostPerRule) break;
    if (IsSuspect(row) && test(row)) found.push_back(&row);
  }
  return found;
}

double MetricOr(const Row& row, std::string_view metric, double fallback) {
  return row.metrics.Get(metric).value_or(fallback);
}

std::optional<DType> GoldenType(const Row& row) { return TypeOf(row.golden); }
std::optional<DType> TargetType(const Row& row) { return TypeOf(row.target); }

std::optional<double> LargestOf(DType type) {
  const DTypeInfo& info = Info(type);
  switch (type) {
    case DType::kF16:
      return 65504;
    case DType::kF8E4M3:
      return 448;
    case DType::kF8E5M2:
      return 57344;
    default:
      break;
  }
  if (info.kind != DKind::kInteger || info.bits > 32) return std::nullopt;
  return std::ldexp(1, info.bits - (info.is_unsigned ? 0 : 1)) - 1;
}

std::optional<double> SmallestOf(DType type) {
  const std::optional<double> largest = LargestOf(type);
  const DTypeInfo& info = Info(type);
  if (!largest || info.kind != DKind::kInteger) {
    return largest ? std::optional(-*largest) : std::nullopt;
  }
  return info.is_unsigned ? 0 : -*largest - 1;
}

bool IsUsuallyMissing(const UnpairedTensor& tensor) {
  return tensor.why.ends_with(" is a weight") ||
         tensor.why.ends_with(" is an input of the graph");
}

bool HasOrder(const Comparison& c) {
  return !c.rows.empty() &&
         std::all_of(c.rows.begin(), c.rows.end(),
                     [](const Row& row) { return row.order.has_value(); });
}

const Row& LastLike(const Row& row, const Comparison& c) {
  const Row* last = &row;
  for (const Row& other : c.rows) {
    const bool read =
        other.verdict != Verdict::kError && other.verdict != Verdict::kSkipped;
    if (other.rank == row.rank && other.step == row.step && read &&
        other.port != "input" && other.phase == row.phase) {
      last = &other;
    }
  }
  return *last;
}

bool MakesLast(const Row& row, const Row& last) {
  return row.op == last.op && row.port != "input";
}

std::string ShowCommand(std::string_view name) {
  return "assay show run.assay " + Quoted(name);
}

std::string CompareCommand(const Comparison& c) {
  return fmt::format("assay compare {} {}", Quoted(c.golden.source),
                     Quoted(c.target.source));
}

std::string MetricText(const Row& row, std::string_view metric) {
  const std::optional<double> value = row.metrics.Get(metric);
  return value ? RoundedText(*value) : "-";
}

std::string RankAndStep(const Row& row) {
  std::string text;
  if (row.rank) text += fmt::format(" of rank {}", *row.rank);
  if (row.step) text += fmt::format(" at step {}", *row.step);
  return text;
}

}  // namespace assay
