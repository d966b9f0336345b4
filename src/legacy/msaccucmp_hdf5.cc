// Two HDF5 files of PyTorch's dump hooks: /OPERATOR/ORDER/input|output/NAME.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "base/text.h"
#include "legacy/analyser.h"
#include "legacy/msaccucmp_files.h"
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
};

Place PlaceOf(const TensorInfo& t) {
  const auto parts = Split(t.stored.name, '/');
  Place place{"/" + t.stored.name, std::string(parts[0])};
  if (parts.size() > 1) {
    place.order = std::strtoll(std::string(parts[1]).c_str(), nullptr, 10);
  }
  return place;
}

// One line of the table.
struct Hdf5Row {
  int64_t index = 0;
  std::string op, my_path, golden_path, type, shape;
  std::vector<std::string> values;
  std::string reason;
};

class Hdf5Table {
 public:
  Hdf5Table(const Dump& my, const Dump& golden, const AlgorithmOptions& options)
      : my_(my), golden_(golden), options_(options) {}

  OldResult<TableRows> Make() {
    const auto pairing = PairDumps(golden_, my_, {.strategy = "hdf5"});
    if (!pairing) return Failure(OldCode::kUnsupported, pairing.error());
    AddPairs(*pairing);
    AddUnpaired(*pairing);
    std::ranges::stable_sort(rows_, {}, &Hdf5Row::index);
    TableRows table = {Heading()};
    for (const Hdf5Row& row : rows_) table.push_back(Line(row));
    return table;
  }

 private:
  void AddPairs(const Pairing& pairing) {
    std::vector<AlgorithmPair> pairs;
    for (const Pair& pair : pairing.pairs) {
      const TensorInfo& m = my_.tensors[pair.target.tensor];
      const TensorInfo& g = golden_.tensors[pair.golden.tensor];
      pairs.push_back({{golden_.ViewOf(g), my_.ViewOf(m)},
                       PlaceOf(m).path,
                       PlaceOf(g).path});
    }
    const auto answers = AskAlgorithms(pairs, options_);
    for (size_t i = 0; i < pairs.size(); ++i) {
      AddPair(my_.tensors[pairing.pairs[i].target.tensor],
              golden_.tensors[pairing.pairs[i].golden.tensor], answers[i]);
    }
  }

  void AddPair(const TensorInfo& m, const TensorInfo& g,
               const Result<MsaccucmpAnswer>& answer) {
    const Place place = PlaceOf(m);
    Hdf5Row row{.index = place.order,
                .op = place.op,
                .my_path = place.path,
                .golden_path = PlaceOf(g).path,
                .type = std::string(NumpyType(m.stored.dtype)),
                .shape = ToText(m.stored.shape)};
    row.values.resize(options_.algorithms.size());
    if (!answer) {
      row.reason = answer.error().what;
    } else if (!answer->refusal.empty()) {
      row.reason = answer->refusal;
    } else {
      row.reason = answer->Reason();
      for (size_t i = 0; i < row.values.size(); ++i) {
        row.values[i] = answer->cells[i].value;
      }
    }
    rows_.push_back(std::move(row));
  }

  // An operator without any partner has one row, other tensors one each.
  void AddUnpaired(const Pairing& pairing) {
    std::set<std::string> known_my, known_golden;
    int64_t last = 0;
    for (const Pair& pair : pairing.pairs) {
      known_my.insert(CallOf(my_.tensors[pair.target.tensor]));
      known_golden.insert(CallOf(golden_.tensors[pair.golden.tensor]));
    }
    for (const TensorInfo& t : my_.tensors) {
      last = std::max(last, PlaceOf(t).order);
    }
    for (const Unpaired& u : pairing.target) {
      const TensorInfo& t = my_.tensors[u.tensor];
      const bool whole = !known_my.contains(CallOf(t));
      if (whole && !known_my.insert(CallOf(t)).second) continue;
      rows_.push_back({.index = PlaceOf(t).order,
                       .op = PlaceOf(t).op,
                       .my_path = whole ? "" : PlaceOf(t).path,
                       .reason = u.why});
    }
    for (const Unpaired& u : pairing.golden) {
      const TensorInfo& t = golden_.tensors[u.tensor];
      const bool whole = !known_golden.contains(CallOf(t));
      if (whole) known_golden.insert(CallOf(t));
      rows_.push_back({.index = last + 1,
                       .golden_path = whole ? CallOf(t) : PlaceOf(t).path,
                       .reason = u.why});
    }
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
