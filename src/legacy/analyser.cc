#include "legacy/analyser.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace assay {
namespace {

struct Limit {
  std::string_view column;
  double value;
  bool is_least;  // the value is to be at least that, else at most
};
constexpr Limit kLimits[] = {
    {"CosineSimilarity", 0.99, true},
    {"RelativeEuclideanDistance", 0.05, false},
    {"KullbackLeiblerDivergence", 0.005, false},
    {"RootMeanSquareError", 1.0, false},
    {"MeanRelativeError", 1.0, false},
};

constexpr size_t kWidest = 30;  // of a printed cell

std::string Cell(const CsvRow& heading, const CsvRow& row,
                 std::string_view column) {
  const int at = FindColumn(heading, column);
  if (at < 0 || static_cast<size_t>(at) >= row.size()) return "";
  return row[static_cast<size_t>(at)];
}

double Number(const std::string& text) {
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return text.empty() || *end != '\0' ? std::nan("") : value;
}

// Rows without a counterpart say nothing of accuracy.
bool IsLookedAt(const CsvRow& heading, const CsvRow& row) {
  return Cell(heading, row, "OpType") != "TransData" &&
         Cell(heading, row, "GroundTruth") != "*" &&
         Cell(heading, row, "DataType") != "NaN";
}

std::string Short(const std::string& text) {
  return text.size() <= kWidest ? text : text.substr(0, kWidest - 3) + "...";
}

}  // namespace

int FindColumn(const CsvRow& heading, std::string_view name) {
  for (size_t i = heading.size(); i-- > 0;) {
    if (heading[i] == name) return static_cast<int>(i);
  }
  return -1;
}

std::vector<std::string> BeyondLimits(const CsvRow& heading, const CsvRow& row,
                                      bool infinite) {
  std::vector<std::string> out;
  for (const Limit& limit : kLimits) {
    const double value = Number(Cell(heading, row, limit.column));
    if (std::isnan(value) || (std::isinf(value) && !infinite)) continue;
    if (limit.is_least ? value < limit.value : value > limit.value) {
      out.emplace_back(limit.column);
    }
  }
  return out;
}

std::vector<BadRow> Analyse(std::span<const CsvRow> table,
                            AnalyserStrategy strategy) {
  std::vector<BadRow> out;
  std::set<std::string> seen;
  for (size_t i = 1; i < table.size(); ++i) {
    if (!IsLookedAt(table[0], table[i])) continue;
    std::vector<std::string> monitors = BeyondLimits(table[0], table[i], false);
    if (strategy == AnalyserStrategy::kFirstEach) {
      std::erase_if(monitors, [&](const std::string& monitor) {
        return !seen.insert(monitor).second;
      });
    }
    if (monitors.empty()) continue;
    out.push_back({i, std::move(monitors)});
    if (strategy == AnalyserStrategy::kFirst) break;
  }
  return out;
}

std::string AnalyserText(std::span<const CsvRow> table,
                         std::span<const BadRow> bad) {
  std::vector<CsvRow> lines = {
      {"Monitor", "Value", "Index", "OpType", "NPUDump", "GroundTruth"}};
  for (const BadRow& row : bad) {
    for (const std::string& monitor : row.monitors) {
      const CsvRow& cells = table[row.line];
      CsvRow& line = lines.emplace_back();
      line = {monitor,
              fmt::format("{:.6g}", Number(Cell(table[0], cells, monitor)))};
      for (const auto column : {"Index", "OpType", "NPUDump", "GroundTruth"}) {
        line.push_back(Short(Cell(table[0], cells, column)));
      }
    }
  }
  std::vector<size_t> widths(lines[0].size());
  for (const CsvRow& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      widths[i] = std::max(widths[i], line[i].size());
    }
  }
  std::string out;
  for (const CsvRow& line : lines) {
    for (size_t i = 0; i < line.size(); ++i) {
      out += fmt::format("| {:<{}} ", line[i], widths[i]);
    }
    out += "|\n";
  }
  return out;
}

}  // namespace assay
