#include "legacy/worst_operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "base/text.h"
#include "legacy/csv_reader.h"
#include "legacy/numpy.h"
#include "legacy/panel.h"

namespace assay {
namespace {

std::optional<double> NumberIn(std::string_view text) {
  double value = 0;
  const auto [at, error] =
      std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || at != text.data() + text.size()) return {};
  if (std::isnan(value)) return {};
  return value;
}

// Which column has what; nothing if the table lacks it.
struct Columns {
  std::optional<size_t> row, type, left, right, tensor, cosine;

  explicit Columns(const std::vector<std::string>& heading) {
    const auto find = [&](std::initializer_list<std::string_view> names)
        -> std::optional<size_t> {
      for (const std::string_view name : names) {
        const auto at = std::ranges::find(heading, name);
        if (at != heading.end()) return at - heading.begin();
      }
      return {};
    };
    row = find({"Index"});
    type = find({"OpType"});
    left = find({"LeftOp", "NPUDump"});
    right = find({"RightOp", "GroundTruth"});
    tensor = find({"TensorIndex"});
    cosine = find({"CosineSimilarity"});
  }
};

std::string Cell(const std::vector<std::string>& row,
                 std::optional<size_t> at) {
  return at && *at < row.size() ? row[*at] : "";
}

// "add:input:0": operator, port, index. Names may have colons in them.
struct TensorName {
  std::string_view op, port, index;
};
std::optional<TensorName> ParseTensor(std::string_view text) {
  const size_t second = text.rfind(':');
  if (second == std::string_view::npos || second == 0) return {};
  const size_t first = text.rfind(':', second - 1);
  if (first == std::string_view::npos) return {};
  return TensorName{text.substr(0, first),
                    text.substr(first + 1, second - first - 1),
                    text.substr(second + 1)};
}

std::vector<std::string> Names(const std::string& cell) {
  std::vector<std::string> names;
  for (const std::string_view name : Split(cell, ',')) names.emplace_back(name);
  return names;
}

std::string CosineText(const std::string& cell) {
  const auto value = NumberIn(cell);
  return value ? ReprText(*value) : cell;
}

std::string TensorLine(const std::vector<OperatorCosines::Tensor>& tensors) {
  std::string line;
  for (const auto& tensor : tensors) {
    line += fmt::format(" - [{}]{}", tensor.index, CosineText(tensor.cosine));
  }
  return line;
}

TextLines Lines(const OperatorCosines& op) {
  TextLines lines;
  if (!op.type.empty()) lines.push_back("Type:  " + op.type);
  lines.push_back("Left:  " + ListText(op.left));
  lines.push_back("Right: " + ListText(op.right));
  lines.emplace_back("Input:");
  if (!op.inputs.empty()) lines.push_back(TensorLine(op.inputs));
  lines.emplace_back("Output:");
  if (!op.outputs.empty()) lines.push_back(TensorLine(op.outputs));
  return lines;
}

}  // namespace

bool OperatorCosines::IsBad(double limit) const {
  return std::ranges::any_of(outputs, [&](const Tensor& tensor) {
    const auto value = NumberIn(tensor.cosine);
    return value && *value <= limit;
  });
}

Result<std::vector<OperatorCosines>> ReadCosines(std::string_view text,
                                                 const std::string& path) {
  const auto table = ParseCsv(text);
  const Columns columns(table.empty() ? std::vector<std::string>() : table[0]);
  if (!columns.tensor || !columns.cosine) {
    return Corrupt("no columns TensorIndex and CosineSimilarity")
        .At(path)
        .Hint("vcs reads the tables that vc writes");
  }
  std::vector<OperatorCosines> operators;
  std::map<std::pair<std::string, std::string>, size_t> known;
  for (size_t i = 1; i < table.size(); ++i) {
    const std::string tensor = Cell(table[i], columns.tensor);
    const auto name = ParseTensor(tensor);
    if (!name) continue;  // an operator that was not dumped
    const std::string row = Cell(table[i], columns.row);
    const auto [at, is_new] =
        known.try_emplace({row, std::string(name->op)}, operators.size());
    if (is_new) {
      operators.push_back({.row = row,
                           .op = std::string(name->op),
                           .type = Cell(table[i], columns.type),
                           .left = Names(Cell(table[i], columns.left)),
                           .right = Names(Cell(table[i], columns.right))});
    }
    OperatorCosines& op = operators[at->second];
    (name->port == "input" ? op.inputs : op.outputs)
        .push_back({std::string(name->index), Cell(table[i], columns.cosine)});
  }
  return operators;
}

size_t PrintBadOperators(const std::vector<OperatorCosines>& operators,
                         double limit, size_t most, std::string& out) {
  size_t bad = 0;
  for (const OperatorCosines& op : operators) {
    if (!op.IsBad(limit) || ++bad > most) continue;
    out += Panel(fmt::format("[{}] {}", op.row, op.op), Lines(op));
  }
  return bad;
}

}  // namespace assay
