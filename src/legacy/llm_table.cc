#include "legacy/llm_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "core/tensor_summary.h"
#include "legacy/numpy.h"
#include "pipeline/align.h"

namespace assay {
namespace {

constexpr std::array<std::string_view, 24> kColumns = {
    "token_id",
    "data_id",
    "golden_data_path",
    "golden_op_type",
    "golden_dtype",
    "golden_shape",
    "golden_max_value",
    "golden_min_value",
    "golden_mean_value",
    "my_data_path",
    "my_op_type",
    "my_dtype",
    "my_shape",
    "my_max_value",
    "my_min_value",
    "my_mean_value",
    "cosine_similarity",
    "max_relative_error",
    "mean_relative_error",
    "max_absolute_error",
    "mean_absolute_error",
    "kl_divergence",
    "relative_euclidean_distance",
    "cmp_fail_reason"};

void AddSide(const std::string& path, const std::string& type,
             const MsitSide& side, CsvRow& cells) {
  for (const std::string& cell : {path, type, side.dtype, side.shape}) {
    cells.push_back(cell);
  }
  for (const std::string& number : {side.max, side.min, side.mean}) {
    cells.push_back(PandasText(number));
  }
}

constexpr size_t kDivergence = 5;  // of kMsitMetrics

constexpr std::string_view kRecordReason =
    "only a record of the values was kept: their extremes, no metric.";

CsvRow CellsOf(const LlmRow& row) {
  const LlmPair& pair = row.pair;
  CsvRow cells = {std::to_string(pair.token), std::to_string(pair.id)};
  AddSide(pair.golden_path, pair.golden_type, row.values.golden, cells);
  AddSide(pair.my_path, pair.my_type, row.values.my, cells);
  for (const std::string& number : row.values.metrics) {
    cells.push_back(PandasText(number));
  }
  cells.push_back(row.values.reason);
  return cells;
}

bool HasNumbers(const TensorOf& side) {
  return side.tensor != nullptr && HasNumbers(side.tensor->stored) &&
         !side.tensor->error();
}

// A member of a fusion that was not dumped counts as an empty array.
bool IsPlaceholder(const LlmPair& pair) {
  return pair.golden.tensor == nullptr;
}

StoredView ViewOf(const TensorOf& side) {
  return SeePlain(*side.dump, *side.tensor).view;
}

Result<MsitRow> ComparePlaceholder(const TensorOf& my) {
  if (!HasNumbers(my)) return Unsupported("it holds no numbers");
  ASSIGN_OR_RETURN(MsitRow row, AskMsit({ViewOf(my), ViewOf(my)}));
  const bool broken = row.reason.find("NAN") != std::string::npos;
  row.golden = {.dtype = "torch.float32", .shape = "[0]"};
  row.metrics = {};
  row.reason = kMsitShapeReason;
  if (broken) row.reason += " my_data includes NAN or inf.";
  return row;
}

// What the parser of device dumps makes of types that NumPy does not have.
void NameAsParsed(const TensorOf& side, MsitSide& values) {
  if (side.dump->kind != "torchair-ge") return;
  const DType type = side.tensor->stored.dtype;
  if (type == DType::kBF16) values.dtype = "torch.float32";
  if (type == DType::kU1) values.dtype = "torch.uint8";
  const bool eight = Info(type).kind == DKind::kFloat && Info(type).bits == 8;
  if (eight) values.dtype = "torch.float64";
}

bool IsRecord(const TensorOf& side) {
  return side.tensor != nullptr && side.tensor->stored.summary != nullptr &&
         !side.tensor->error();
}

std::string RecordText(const std::optional<double>& number) {
  return number ? ReprText(static_cast<float>(*number)) : "";
}

// What `watch` has kept of a tensor, or the same of its values.
Result<MsitSide> RecordedSide(const TensorOf& side) {
  if (!IsRecord(side)) {
    if (!HasNumbers(side)) return Unsupported("it holds no numbers");
    ASSIGN_OR_RETURN(MsitRow row, AskMsit({ViewOf(side), ViewOf(side)}));
    NameAsParsed(side, row.golden);
    return std::move(row.golden);
  }
  const StoredTensor& stored = side.tensor->stored;
  const TensorSummary& kept = *stored.summary;
  return MsitSide{.dtype = TorchTypeText(stored.dtype),
                  .shape = kept.shape_known ? TorchShapeText(stored.shape) : "",
                  .max = RecordText(kept.max),
                  .min = RecordText(kept.min),
                  .mean = RecordText(kept.mean),
                  .l2 = RecordText(kept.l2)};
}

Result<MsitRow> CompareRecords(const LlmPair& pair) {
  MsitRow row{.reason = std::string(kRecordReason)};
  ASSIGN_OR_RETURN(row.golden, RecordedSide(pair.golden));
  ASSIGN_OR_RETURN(row.my, RecordedSide(pair.my));
  return row;
}

Result<MsitRow> Compare(const LlmPair& pair) {
  if (!IsPlaceholder(pair) && (IsRecord(pair.golden) || IsRecord(pair.my))) {
    return CompareRecords(pair);
  }
  if (IsPlaceholder(pair)) return ComparePlaceholder(pair.my);
  for (const TensorOf* side : {&pair.golden, &pair.my}) {
    if (!HasNumbers(*side)) return Unsupported("it holds no numbers");
  }
  ASSIGN_OR_RETURN(MsitRow row,
                   AskMsit({ViewOf(pair.golden), ViewOf(pair.my)}));
  NameAsParsed(pair.golden, row.golden);
  NameAsParsed(pair.my, row.my);
  return row;
}

bool IsInt8(const MsitSide& side) { return side.dtype == "torch.int8"; }

// "1760000000000001,inputs,0": text, so 10 comes before 2.
std::string_view TimeAndPlace(const LlmRow& row) {
  const std::string_view path = row.pair.my_path;
  return path.substr(path.rfind('.') + 1);
}

// Distances of two statistics, in float32.
void AddDistance(const std::string& golden, const std::string& my,
                 CsvRow& cells) {
  const float g = std::strtof(golden.c_str(), nullptr);
  const float m = std::strtof(my.c_str(), nullptr);
  const float distance = std::fabs(m - g);
  cells.push_back(PandasText(ReprText(distance)));
  cells.push_back(
      PandasText(ReprText(distance / std::max(std::fabs(g), kEps32))));
}

CsvRow StatisticsOf(const LlmRow& row) {
  const LlmPair& pair = row.pair;
  const MsitSide &g = row.values.golden, &m = row.values.my;
  CsvRow cells = {std::to_string(pair.token),
                  std::to_string(pair.id),
                  pair.golden_path,
                  pair.golden_type,
                  pair.my_path,
                  pair.my_type};
  AddDistance(g.max, m.max, cells);
  AddDistance(g.min, m.min, cells);
  AddDistance(g.mean, m.mean, cells);
  AddDistance(g.l2, m.l2, cells);
  return cells;
}

// Columns that tell where a tensor is: a weight is told by its name.
bool IsPlace(std::string_view column) {
  return column.ends_with("_id") || column.ends_with("_path") ||
         column.ends_with("_op_type") || column == "cmp_fail_reason";
}

CsvRow StatisticsColumns() {
  CsvRow cells = {"token_id",       "data_id",      "golden_data_path",
                  "golden_op_type", "my_data_path", "my_op_type"};
  for (const char* statistic : {"max", "min", "mean", "l2norm"}) {
    cells.push_back(fmt::format("{}_stat_absolute_error", statistic));
    cells.push_back(fmt::format("{}_stat_relative_error", statistic));
  }
  return cells;
}

}  // namespace

std::string LlmPair::PathOf(const TensorOf& side) {
  return std::filesystem::absolute(side.dump->PathOf(*side.tensor))
      .lexically_normal()
      .string();
}

std::string PandasText(std::string_view number) {
  if (number == "nan") return "";
  return std::string(number == "0" ? "0.0" : number);
}

std::span<const std::string_view> LlmColumns() { return kColumns; }

std::vector<LlmRow> CompareLlm(
    const std::vector<LlmPair>& pairs, int threads,
    const std::function<void(const std::string&)>& say) {
  std::vector<std::optional<LlmRow>> found(pairs.size());
  std::mutex mutex;
  ParallelFor(pairs.size(), threads, [&](size_t i, size_t) {
    const LlmPair& pair = pairs[i];
    Result<MsitRow> values = Compare(pair);
    if (!values) {
      const std::lock_guard lock(mutex);
      say(fmt::format("{} and {} are not compared: {}", pair.golden_path,
                      pair.my_path, values.error().what));
      return;
    }
    found[i] = LlmRow{pair, *std::move(values)};
  });
  std::vector<LlmRow> rows;
  for (auto& row : found) {
    if (row) rows.push_back(*std::move(row));
  }
  return rows;
}

std::vector<LlmRow> KeptRows(std::vector<LlmRow> rows) {
  std::erase_if(rows, [](const LlmRow& row) {
    return row.values.reason == kMsitShapeReason;
  });
  // The original takes these out while it goes through the list, so that the
  // row behind each of them is not looked at.
  for (size_t i = 0; i < rows.size(); ++i) {
    if (IsInt8(rows[i].values.golden) == IsInt8(rows[i].values.my)) continue;
    rows.erase(rows.begin() + static_cast<ptrdiff_t>(i));
  }
  return rows;
}

void SortByMyTime(std::vector<LlmRow>& rows) {
  std::ranges::stable_sort(rows, {}, TimeAndPlace);
}

std::vector<CsvRow> LlmTable(const std::vector<LlmRow>& rows) {
  std::vector<CsvRow> table = {CsvRow(kColumns.begin(), kColumns.end())};
  for (const LlmRow& row : rows) table.push_back(CellsOf(row));
  // A divergence below zero becomes the integer 0; a column of nothing else is
  // one of integers.
  const bool integers = std::ranges::all_of(rows, [](const LlmRow& row) {
    return row.values.metrics[kDivergence] == "0";
  });
  if (!integers) return table;
  const auto at = std::ranges::find(kColumns, kMsitMetrics[kDivergence]);
  for (size_t i = 1; i < table.size(); ++i) {
    table[i][static_cast<size_t>(at - kColumns.begin())] = "0";
  }
  return table;
}

std::vector<CsvRow> LlmStatistics(const std::vector<LlmRow>& rows) {
  std::vector<CsvRow> table = {StatisticsColumns()};
  for (const LlmRow& row : rows) {
    if (row.values.golden.max.empty() || row.values.my.max.empty()) continue;
    table.push_back(StatisticsOf(row));
  }
  return table;
}

std::vector<CsvRow> LlmWeights(const std::vector<LlmRow>& rows) {
  std::vector<CsvRow> table = {{"weight_name"}};
  for (const std::string_view column : kColumns) {
    if (!IsPlace(column)) table[0].emplace_back(column);
  }
  for (const LlmRow& row : rows) {
    const TensorOf& my = row.pair.my;
    CsvRow& cells = table.emplace_back();
    const std::string& name = my.tensor->stored.name;
    cells.emplace_back(name.empty() ? my.dump->NameOf(*my.tensor) : name);
    const CsvRow all = CellsOf(row);
    for (size_t i = 0; i < all.size(); ++i) {
      if (!IsPlace(kColumns[i])) cells.push_back(all[i]);
    }
  }
  return table;
}

}  // namespace assay
