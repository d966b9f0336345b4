// Two HDF5 files of PyTorch's dump hooks: /OPERATOR/ORDER/input|output/NAME.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/text.h"
#include "legacy/analyser.h"
#include "legacy/msaccucmp_files.h"
#include "legacy/old_conversion.h"
#include "legacy/old_files.h"
#include "legacy/python_text.h"
#include "pairing/strategy.h"
#include "sources/source.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kLargest = 100 << 20;
constexpr double kGoodCosine = 0.95;

// Where a tensor stands: "/Addmm/4/output/result".
struct Place {
  std::string path, op;
  int64_t order = 0;
  bool input = false;
};

Place PlaceOf(const TensorInfo& t) {
  const auto parts = Split(t.stored.name, '/');
  Place place{"/" + t.stored.name, std::string(parts[0])};
  if (parts.size() > 1) {
    place.order = std::strtoll(std::string(parts[1]).c_str(), nullptr, 10);
  }
  place.input = parts.size() > 2 && parts[2] == "input";
  return place;
}

// What the hooks call a type.
std::string_view TorchName(DType type) {
  constexpr std::pair<DType, std::string_view> kNames[] = {
      {DType::kF32, "Float"}, {DType::kF16, "Half"}, {DType::kF64, "Double"},
      {DType::kI64, "Long"},  {DType::kI32, "Int"},  {DType::kI16, "Short"},
      {DType::kI8, "Char"},   {DType::kU8, "Byte"},  {DType::kBool, "Bool"}};
  for (const auto& [known, name] : kNames) {
    if (known == type) return name;
  }
  return Name(type);
}

// One line of the table.
struct Hdf5Row {
  int64_t index = 0;
  size_t place = SIZE_MAX;  // of my tensor in its file; others come last
  std::string op, my_path, golden_path, type, shape;
  std::vector<std::string> values;
  std::string reason;
};

class Hdf5Table {
 public:
  Hdf5Table(const Dump& my, const Dump& golden, const AlgorithmOptions& options)
      : my_(my), golden_(golden), options_(options) {}

  OldResult<TableRows> Make() {
    auto pairing = PairDumps(golden_, my_, {.strategy = "hdf5"});
    if (!pairing) return Failure(OldCode::kUnsupported, pairing.error());
    AddPairs(*pairing);
    AddOtherTypes(*pairing);
    AddUnpaired(*pairing);
    std::ranges::stable_sort(rows_, {}, [](const Hdf5Row& row) {
      return std::pair(row.index, row.place);
    });
    TableRows table = {Heading()};
    for (const Hdf5Row& row : rows_) table.push_back(Line(row));
    return table;
  }

 private:
  const TensorInfo& My(uint32_t i) const { return my_.tensors[i]; }
  const TensorInfo& Golden(uint32_t i) const { return golden_.tensors[i]; }
  size_t NumberOf(const TensorInfo& my) const {
    return static_cast<size_t>(&my - my_.tensors.data());
  }

  void AddPairs(const Pairing& pairing) {
    std::vector<AlgorithmPair> pairs;
    for (const Pair& pair : pairing.pairs) {
      const TensorInfo& m = My(pair.target.tensor);
      const TensorInfo& g = Golden(pair.golden.tensor);
      pairs.push_back({{golden_.ViewOf(g), my_.ViewOf(m)},
                       PlaceOf(m).path,
                       PlaceOf(g).path});
    }
    const auto answers = AskAlgorithms(pairs, options_);
    for (size_t i = 0; i < pairs.size(); ++i) {
      AddPair(My(pairing.pairs[i].target.tensor),
              Golden(pairing.pairs[i].golden.tensor), answers[i]);
    }
  }

  Hdf5Row RowOf(const TensorInfo& m, const TensorInfo& g) {
    partners_.emplace(CallOf(g), PlaceOf(m));
    matched_.insert(CallOf(m));
    return {.index = PlaceOf(m).order,
            .place = NumberOf(m),
            .op = PlaceOf(m).op,
            .my_path = PlaceOf(m).path,
            .golden_path = PlaceOf(g).path};
  }

  void AddPair(const TensorInfo& m, const TensorInfo& g,
               const Result<MsaccucmpAnswer>& answer) {
    Hdf5Row& row = rows_.emplace_back(RowOf(m, g));
    if (!answer) {
      row.reason = answer.error().what;
      return;
    }
    if (!answer->refusal.empty()) {
      row.reason = ShapesDiffer(row.op, CountText(m), CountText(g)).text;
      return;
    }
    row.type = NumpyType(m.stored.dtype);
    row.shape = ToText(m.stored.shape);
    row.reason = answer->Reason();
    for (const MsaccucmpCell& cell : answer->cells) {
      row.values.push_back(cell.value);
    }
  }

  static std::string CountText(const TensorInfo& t) {
    return fmt::format("({})", ElementCount(t.stored.shape).value_or(0));
  }

  // Tensors that belong together but for their types, which the pairing says
  // of both in the same words.
  void AddOtherTypes(Pairing& pairing) {
    std::erase_if(pairing.target, [&](const Unpaired& t) {
      const auto g = std::ranges::find(pairing.golden, t.why, &Unpaired::why);
      if (g == pairing.golden.end()) return false;
      const TensorInfo &m = My(t.tensor), &other = Golden(g->tensor);
      Hdf5Row& row = rows_.emplace_back(RowOf(m, other));
      row.reason = fmt::format(
          "The DataType on both sides are different, my dump data path is {}, "
          "the data type of both sides is({},{}).",
          row.my_path, TorchName(m.stored.dtype),
          TorchName(other.stored.dtype));
      pairing.golden.erase(g);
      return true;
    });
  }

  // An operator without any partner has one row, other tensors one each.
  void AddUnpaired(const Pairing& pairing) {
    int64_t last = 0;
    for (const TensorInfo& t : my_.tensors) {
      last = std::max(last, PlaceOf(t).order);
    }
    for (const Unpaired& u : pairing.target) AddMine(My(u.tensor));
    const bool loaded = std::ranges::none_of(
        my_.tensors, [](const TensorInfo& t) { return PlaceOf(t).input; });
    std::vector<const TensorInfo*> rest;
    for (const Unpaired& u : pairing.golden) {
      const TensorInfo& t = Golden(u.tensor);
      if (!loaded || !PlaceOf(t).input) rest.push_back(&t);
    }
    std::ranges::stable_sort(rest, {}, [](const TensorInfo* t) {
      return std::pair(SortedAs(PlaceOf(*t).op), PlaceOf(*t).order);
    });
    for (const TensorInfo* t : rest) AddGolden(*t, last + 1);
  }

  // Two operators that are one on the device stand together.
  static std::string SortedAs(const std::string& op) {
    return op == "ThnnConvDepthwise2DBackward" ? "CudnnConvolutionBackward"
                                               : op;
  }

  void AddMine(const TensorInfo& t) {
    const Place place = PlaceOf(t);
    Hdf5Row row{.index = place.order, .place = NumberOf(t), .op = place.op};
    if (matched_.contains(CallOf(t))) {
      row.my_path = place.path;
      row.reason =
          fmt::format("No data match with {} in golden dump data.", place.path);
    } else if (alone_.insert(CallOf(t)).second) {
      row.reason = fmt::format("No data match with op:{} in golden dump data.",
                               place.op);
    } else {
      return;
    }
    rows_.push_back(std::move(row));
  }

  void AddGolden(const TensorInfo& t, int64_t behind) {
    const auto partner = partners_.find(CallOf(t));
    Hdf5Row row{.index = behind, .golden_path = CallOf(t)};
    if (partner != partners_.end()) {
      row.index = partner->second.order;
      row.op = partner->second.op;
      row.golden_path = PlaceOf(t).path;
    } else if (!alone_.insert("golden " + CallOf(t)).second) {
      return;
    }
    row.reason =
        fmt::format("No data match with {} in my dump data.", row.golden_path);
    rows_.push_back(std::move(row));
  }

  // "/Addmm/4"
  static std::string CallOf(const TensorInfo& t) {
    const Place place = PlaceOf(t);
    return fmt::format("/{}/{}", place.op, place.order);
  }

  CsvRow Heading() const {
    CsvRow line = {"Index",           "NPUDump",  "NPUDumpPath",
                   "GroundTruthPath", "DataType", "Shape"};
    for (const OldAlgorithm& a : options_.algorithms) line.push_back(a.name);
    line.emplace_back("CompareFailReason");
    return line;
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

  const Dump &my_, &golden_;
  const AlgorithmOptions& options_;
  std::vector<Hdf5Row> rows_;
  std::map<std::string, Place> partners_;  // of golden's calls
  std::set<std::string> matched_, alone_;  // calls
};

OldResult<Dump> OpenHdf5(const std::string& path) {
  std::error_code ignored;
  if (fs::file_size(path, ignored) > kLargest) {
    return Failure(OldCode::kTooLarge, "The file \"{}\" is larger than 100 MB.",
                   path);
  }
  auto dump = OpenSource(path, {});
  if (!dump) return Failure(OldCode::kDumpData, dump.error());
  return *std::move(dump);
}

// The rows whose cosine is no number, or is bad.
TableRows BadRows(const TableRows& table) {
  TableRows out = {table[0]};
  const auto at = std::ranges::find(table[0], "CosineSimilarity");
  if (at == table[0].end()) return out;
  const auto column = static_cast<size_t>(at - table[0].begin());
  for (size_t i = 1; i < table.size(); ++i) {
    const double cosine = std::strtod(table[i][column].c_str(), nullptr);
    if (!(cosine > kGoodCosine)) out.push_back(table[i]);
  }
  return out;
}

// The tensors that a column of the bad rows names, each as a file.
OldStatus ExtractTensors(const TableRows& bad, std::string_view column,
                         const Dump& dump, const std::string& folder) {
  const auto at = static_cast<size_t>(FindColumn(bad[0], column));
  for (const TensorInfo& t : dump.tensors) {
    const std::string path = PlaceOf(t).path;
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

}  // namespace

OldResult<TableRows> CompareHdf5(const NetworkRequest& request,
                                 bool extract_bad) {
  const auto my = OpenHdf5(request.my);
  if (!my) return my.error();
  const auto golden = OpenHdf5(request.golden);
  if (!golden) return golden.error();
  auto table = Hdf5Table(*my, *golden, request.table.ask).Make();
  if (!table) return table.error();
  const std::string stem =
      fmt::format("{}/result_{}", request.out, TimeStamp(Clock::kLocal));
  if (auto wrote = WriteOldFile(stem + ".csv", TableText(*table)); !wrote) {
    return wrote.error();
  }
  if (extract_bad) {
    const auto wrote =
        ExtractBad(BadRows(*table), {*my, *golden}, stem + "_filtered");
    if (!wrote) return wrote.error();
  }
  return table;
}

}  // namespace assay
