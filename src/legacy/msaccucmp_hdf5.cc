// Two HDF5 files of PyTorch's dump hooks: /OPERATOR/ORDER/input|output/NAME.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "legacy/analyser.h"
#include "legacy/hook_match.h"
#include "legacy/msaccucmp_files.h"
#include "legacy/old_conversion.h"
#include "legacy/old_files.h"
#include "legacy/python_text.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kLargest = 100 << 20;
constexpr double kGoodCosine = 0.95;

// What the hooks call a type; empty: a number they do not use.
std::string_view TypeName(std::optional<int64_t> type) {
  constexpr std::pair<int64_t, std::string_view> kNames[] = {
      {1, "Float"}, {2, "Byte"}, {3, "Char"},  {5, "Short"},  {6, "Int"},
      {7, "Long"},  {9, "Bool"}, {10, "Half"}, {11, "Double"}};
  for (const auto& [number, name] : kNames) {
    if (number == type) return name;
  }
  return "";
}

// Devices differ in the width of some types.
bool AreAlike(std::string_view a, std::string_view b) {
  constexpr std::string_view kAlike[][2] = {{"Int", "Long"}, {"Float", "Half"}};
  if (a == b) return true;
  return std::ranges::any_of(kAlike, [&](const auto& pair) {
    return (a == pair[0] && b == pair[1]) || (a == pair[1] && b == pair[0]);
  });
}

// Why two tensors that belong together cannot be compared; empty: they can.
std::string Refusal(const HookDataset& my, const HookDataset& golden) {
  for (const HookDataset* d : {&my, &golden}) {
    if (!TypeName(d->type).empty()) continue;
    return fmt::format("{} is not in list",
                       d->type ? std::to_string(*d->type) : "None");
  }
  const std::string_view m = TypeName(my.type), g = TypeName(golden.type);
  if (!AreAlike(m, g)) {
    return fmt::format(
        "The DataType on both sides are different, my dump data path is {}, "
        "the data type of both sides is({},{}).",
        my.path, m, g);
  }
  const bool strided = golden.device == 0 || golden.device == 1;
  if (strided && !golden.has_stride) return "'NoneType' object is not iterable";
  return "";
}

// One line of the table.
struct Hdf5Row {
  int64_t index = 0;
  std::string op, my_path, golden_path, type, shape;
  std::vector<std::string> values;
  std::string reason;
};

CsvRow Hdf5Heading(const AlgorithmOptions& options) {
  CsvRow line = {"Index",           "NPUDump",  "NPUDumpPath",
                 "GroundTruthPath", "DataType", "Shape"};
  for (const OldAlgorithm& a : options.algorithms) line.push_back(a.name);
  line.emplace_back("CompareFailReason");
  return line;
}

class Hdf5Table {
 public:
  Hdf5Table(const HookFile& my, const HookFile& golden,
            const AlgorithmOptions& options)
      : my_(my), golden_(golden), match_(my, golden), options_(options) {}

  TableRows Make() {
    for (const HookCall& call : my_.calls) AddCall(call);
    FillPairs();
    for (const HookCall& call : golden_.calls) AddUnmatched(call);
    std::ranges::stable_sort(rows_, {}, &Hdf5Row::index);
    TableRows table = {Hdf5Heading(options_)};
    for (const Hdf5Row& row : rows_) table.push_back(Line(row));
    return table;
  }

 private:
  // A call without any partner has one row, others one for each tensor.
  void AddCall(const HookCall& call) {
    if (call.datasets.empty()) return;
    const size_t before = rows_.size();
    bool matched = false;
    for (const HookDataset& mine : call.datasets) {
      const HookDataset* golden = match_.Golden(call, mine);
      matched = matched || golden != nullptr;
      AddTensor(call, mine, golden);
    }
    if (matched) return;
    rows_.resize(before);
    rows_.push_back(
        {.index = call.order,
         .op = call.op,
         .reason = fmt::format("No data match with op:{} in golden dump data.",
                               call.op)});
  }

  void AddTensor(const HookCall& call, const HookDataset& mine,
                 const HookDataset* golden) {
    Hdf5Row row{.index = call.order, .op = call.op, .my_path = mine.path};
    if (golden == nullptr) {
      row.reason =
          fmt::format("No data match with {} in golden dump data.", mine.path);
    } else {
      row.golden_path = golden->path;
      row.reason = Refusal(mine, *golden);
      if (row.reason.empty()) pairs_.push_back({rows_.size(), &mine, golden});
    }
    rows_.push_back(std::move(row));
  }

  void FillPairs() {
    std::vector<AlgorithmPair> asked;
    for (const auto& [row, mine, golden] : pairs_) {
      asked.push_back({{golden_.dump.ViewOf(*golden->tensor),
                        my_.dump.ViewOf(*mine->tensor)},
                       mine->path,
                       golden->path});
    }
    const auto answers = AskAlgorithms(asked, options_);
    for (size_t i = 0; i < pairs_.size(); ++i) Fill(pairs_[i], answers[i]);
  }

  struct PairOfRow {
    size_t row;
    const HookDataset *my, *golden;
  };

  void Fill(const PairOfRow& pair, const Result<MsaccucmpAnswer>& answer) {
    Hdf5Row& row = rows_[pair.row];
    const StoredTensor& mine = pair.my->tensor->stored;
    if (!answer) {
      row.reason = answer.error().what;
      return;
    }
    if (!answer->refusal.empty()) {
      row.reason = ShapesDiffer(row.op, CountText(mine),
                                CountText(pair.golden->tensor->stored))
                       .text;
      return;
    }
    row.type = NumpyType(mine.dtype);
    row.shape = ToText(mine.shape);
    row.reason = answer->Reason();
    for (const MsaccucmpCell& cell : answer->cells) {
      row.values.push_back(cell.value);
    }
  }

  static std::string CountText(const StoredTensor& t) {
    return fmt::format("({})", ElementCount(t.shape).value_or(0));
  }

  // Golden tensors that nothing of mine belongs to; one row if these are all.
  void AddUnmatched(const HookCall& call) {
    if (call.datasets.empty()) return;
    std::vector<Hdf5Row> rows;
    for (const HookDataset& golden : call.datasets) {
      if (HasPartner(call, golden)) continue;
      rows.push_back(Unmatched(call, golden.path));
    }
    if (rows.size() == call.datasets.size()) {
      rows = {{.index = my_.Behind(),
               .golden_path = fmt::format("/{}/{}", call.op, call.order)}};
    }
    for (Hdf5Row& row : rows) {
      row.reason = fmt::format("No data match with {} in my dump data.",
                               row.golden_path);
      rows_.push_back(std::move(row));
    }
  }

  bool HasPartner(const HookCall& call, const HookDataset& golden) const {
    if (my_.has_inputs && my_.Find(match_.MyCall(call)) == nullptr) {
      return false;
    }
    return match_.Mine(call, golden) != nullptr;
  }

  Hdf5Row Unmatched(const HookCall& call, const std::string& path) const {
    const std::string mine = match_.MyCall(call);
    if (my_.has_inputs && my_.Find(mine) == nullptr) {
      return {.index = my_.Behind(), .golden_path = path};
    }
    return {.index = my_.OrderOf(mine),
            .op = mine.substr(0, mine.find(':')),
            .golden_path = path};
  }

  CsvRow Line(const Hdf5Row& row) const {
    CsvRow line = {std::to_string(row.index), row.op,   row.my_path,
                   row.golden_path,           row.type, row.shape};
    for (size_t i = 0; i < options_.algorithms.size(); ++i) {
      line.push_back(i < row.values.size() ? row.values[i] : "");
    }
    for (std::string& cell : line) {
      if (cell.empty()) cell = "NaN";
    }
    line.push_back(row.reason);
    return line;
  }

  const HookFile &my_, &golden_;
  const HookMatch match_;
  const AlgorithmOptions& options_;
  std::vector<Hdf5Row> rows_;
  std::vector<PairOfRow> pairs_;
};

OldStatus CheckSize(const std::string& path) {
  std::error_code ignored;
  if (fs::file_size(path, ignored) <= kLargest) return Done{};
  return Failure(OldCode::kTooLarge, "The file \"{}\" is larger than 100 MB.",
                 path);
}

OldStatus CheckMine(const HookFile& my) {
  constexpr int64_t kNpu = 10;
  if (my.device == kNpu) return Done{};
  const bool empty = std::ranges::all_of(
      my.calls, [](const HookCall& call) { return call.datasets.empty(); });
  return Failure(OldCode::kDumpData, "{}",
                 empty ? "My dump file is empty."
                       : "My dump file was not written on an NPU.");
}

// The rows whose cosine is missing or bad; one that came out as nan is neither.
// Without that column the original looks at the first one.
TableRows BadRows(const TableRows& table) {
  TableRows out = {table[0]};
  const auto at = std::ranges::find(table[0], "CosineSimilarity");
  const size_t column = at == table[0].end() ? 0 : at - table[0].begin();
  for (size_t i = 1; i < table.size(); ++i) {
    const std::string& cosine = table[i][column];
    if (cosine == "NaN" ||
        std::strtod(cosine.c_str(), nullptr) <= kGoodCosine) {
      out.push_back(table[i]);
    }
  }
  return out;
}

// The tensors that a column of the bad rows names, each as a file.
OldStatus ExtractTensors(const TableRows& bad, std::string_view column,
                         const Dump& dump, const std::string& folder) {
  const auto at = static_cast<size_t>(FindColumn(bad[0], column));
  for (const TensorInfo& t : dump.tensors) {
    const std::string path = "/" + t.stored.name;
    const auto named = [&](const CsvRow& row) { return row[at] == path; };
    if (t.error() || std::ranges::none_of(bad, named)) continue;
    std::error_code ignored;
    fs::create_directories(fs::path(folder + path).parent_path(), ignored);
    const auto wrote = WriteNpy(dump.ViewOf(t), folder + path + ".npy");
    if (!wrote) return Failure(OldCode::kWrite, wrote.error());
  }
  return Done{};
}

OldStatus ExtractBad(const TableRows& bad, const OldSides& sides,
                     const std::string& folder) {
  auto wrote = WriteOldFile(folder + "/filtered_result.csv", TableText(bad));
  if (!wrote) return wrote;
  wrote = ExtractTensors(bad, "NPUDumpPath", sides.my, folder + "/my_dump");
  if (!wrote) return wrote;
  return ExtractTensors(bad, "GroundTruthPath", sides.golden,
                        folder + "/gold_dump");
}

// Both files, once the table's heading stands in its file.
struct HookSides {
  HookFile my, golden;
};

OldResult<HookSides> OpenSides(const NetworkRequest& request) {
  auto my = HookFile::Open(request.my);
  if (!my) return my.error();
  if (const auto fine = CheckMine(*my); !fine) return fine.error();
  auto golden = HookFile::Open(request.golden);
  if (!golden) return golden.error();
  if (!my->has_inputs) golden->DropInputs();
  return HookSides{*std::move(my), *std::move(golden)};
}

}  // namespace

OldResult<TableRows> CompareHdf5(const NetworkRequest& request,
                                 bool extract_bad) {
  for (const std::string& path : {request.my, request.golden}) {
    if (const auto fine = CheckSize(path); !fine) return fine.error();
  }
  AlgorithmOptions options = request.table.ask;
  options.first = 0;  // -max is not looked at for these files
  options.empty_has_type = true;
  const std::string stem =
      fmt::format("{}/result_{}", request.out, TimeStamp(Clock::kLocal));
  const auto sides = OpenSides(request);
  const TableRows table =
      sides ? Hdf5Table(sides->my, sides->golden, options).Make()
            : TableRows{Hdf5Heading(options)};
  if (auto wrote = WriteOldFile(stem + ".csv", TableText(table)); !wrote) {
    return wrote.error();
  }
  if (!sides) return sides.error();
  if (extract_bad) {
    const auto wrote =
        ExtractBad(BadRows(table), {sides->my.dump, sides->golden.dump},
                   stem + "_filtered");
    if (!wrote) return wrote.error();
  }
  return table;
}

}  // namespace assay
