#include "codecs/statistics_cell.h"

#include <algorithm>
#include <charconv>

#include "base/text.h"

namespace assay {
namespace {

constexpr struct {
  std::string_view name;
  DType dtype;
} kTypes[] = {
    {"float", DType::kF32},
    {"float32", DType::kF32},
    {"fp32", DType::kF32},
    {"float16", DType::kF16},
    {"half", DType::kF16},
    {"fp16", DType::kF16},
    {"double", DType::kF64},
    {"float64", DType::kF64},
    {"bf16", DType::kBF16},
    {"bfloat16", DType::kBF16},
    {"int8", DType::kI8},
    {"int16", DType::kI16},
    {"int32", DType::kI32},
    {"int64", DType::kI64},
    {"uint8", DType::kU8},
    {"uint16", DType::kU16},
    {"uint32", DType::kU32},
    {"uint64", DType::kU64},
    {"bool", DType::kBool},
    {"int4", DType::kI4},
    {"uint1", DType::kU1},
    {"complex32", DType::kC32},
    {"complex64", DType::kC64},
    {"complex128", DType::kC128},
    {"hifloat8", DType::kHiF8},
    {"float8_e5m2", DType::kF8E5M2},
    {"float8_e4m3fn", DType::kF8E4M3},
    {"float8_e8m0", DType::kF8E8M0},
};

template <typename T>
std::optional<T> ParseAll(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) return std::nullopt;
  return value;
}

}  // namespace

std::vector<std::string> SplitCells(std::string_view line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') {
      const bool two = quoted && line.substr(i + 1).starts_with('"');
      if (two) cells.back() += line[i++];
      quoted ^= !two;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  for (std::string& cell : cells) cell = Trim(cell);
  return cells;
}

bool IsNothing(std::string_view cell) {
  const std::string text = Lower(cell);
  return text.empty() || text == "-" || text == "n/a" || text == "null" ||
         text == "none";
}

DType StatisticsType(std::string_view cell) {
  const std::string lower = Lower(cell);
  std::string_view name = lower;
  for (const std::string_view prefix : {"dt_", "torch.", "mindspore."}) {
    if (name.starts_with(prefix)) name.remove_prefix(prefix.size());
  }
  for (const auto& row : kTypes) {
    if (row.name == name) return row.dtype;
  }
  return DType::kOpaque;
}

std::optional<double> ParseNumber(std::string_view cell) {
  if (cell == "True" || cell == "true") return 1;
  if (cell == "False" || cell == "false") return 0;
  if (cell.starts_with('+')) cell.remove_prefix(1);
  return ParseAll<double>(cell);
}

std::optional<uint64_t> ParseCount(std::string_view cell) {
  return ParseAll<uint64_t>(cell);
}

std::optional<std::string_view> ParsePort(std::string_view cell) {
  const std::string text = Lower(cell);
  if (text == "input") return "input";
  if (text == "output") return "output";
  return std::nullopt;
}

std::optional<std::string_view> ParseIndex(std::string_view cell) {
  const bool digits = std::ranges::all_of(
      cell, [](char c) { return (c >= '0' && c <= '9') || c == '_'; });
  if (!digits || cell.empty() || cell.front() == '_') return std::nullopt;
  return cell;
}

std::optional<Shape> ParseCellShape(std::string_view cell) {
  std::string text(cell);
  std::erase(text, ' ');
  constexpr std::string_view kTorch = "torch.Size(";
  if (text.starts_with(kTorch)) text.erase(0, kTorch.size() - 1);
  if (text.starts_with("([") && text.ends_with("])")) {
    text = text.substr(1, text.size() - 2);
  }
  const bool brackets = (text.starts_with('(') && text.ends_with(')')) ||
                        (text.starts_with('[') && text.ends_with(']'));
  if (brackets) text = text.substr(1, text.size() - 2);
  if (text.ends_with(',')) text.pop_back();  // Python's "(2,)"
  auto shape = ParseShape(text);
  const auto count = shape ? ElementCount(*shape) : std::nullopt;
  if (!count || !ByteCount(DType::kC128, *count)) return std::nullopt;
  return shape;
}

}  // namespace assay
