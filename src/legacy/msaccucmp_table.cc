#include "legacy/msaccucmp_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "base/parallel.h"
#include "codecs/ascend.h"
#include "legacy/python_text.h"
#include "sources/tree.h"

namespace assay {
namespace {

constexpr std::string_view kNothing = "NaN";

std::string Shown(const std::string& text) {
  return text.empty() ? std::string(kNothing) : text;
}

// What a row's tensors say.
struct Cells {
  std::string my_type, golden_type, my_address, golden_address, shape;
  std::string overflow;
  std::vector<std::string> values;
  std::string reason;
};

// The device's address of a tensor; empty if its dump does not say.
std::string AddressOf(const Dump& dump, const TensorInfo& t) {
  const auto file = InputFile::Open(dump.PathOf(t));
  if (!file) return "";
  const auto header = ReadAscendHeader(*file, NameIn(dump.files[t.file]));
  if (!header) return "";
  for (const AscendTensor& tensor : header->tensors) {
    if (NameOf(tensor) == t.stored.name && tensor.address != 0) {
      return std::to_string(tensor.address);
    }
  }
  return "";
}

// Arrays without values have NumPy's default type; the types of two device
// dumps are those that are declared.
std::string_view TypeOf(const TensorInfo& tensor, OldAlignment alignment) {
  const StoredTensor& stored = tensor.stored;
  const bool empty =
      alignment != OldAlignment::kByName && ElementCount(stored.shape) == 0;
  return NumpyType(empty ? DType::kF64 : stored.dtype);
}

class Filler {
 public:
  Filler(const OldRows& rows, const OldSides& sides,
         const OldTableOptions& options)
      : rows_(rows.rows), sides_(sides), options_(options) {}

  std::vector<Cells> Run() {
    std::vector<Cells> cells(rows_.size());
    std::vector<std::optional<AlgorithmPair>> found(rows_.size());
    ParallelFor(rows_.size(), options_.ask.threads,
                [&](size_t i, size_t) { found[i] = Look(rows_[i], cells[i]); });
    std::vector<AlgorithmPair> pairs;
    std::vector<size_t> owners;
    for (size_t i = 0; i < found.size(); ++i) {
      if (!found[i]) continue;
      pairs.push_back(*std::move(found[i]));
      owners.push_back(i);
    }
    const auto answers = AskAlgorithms(pairs, options_.ask);
    ParallelFor(owners.size(), options_.ask.threads, [&](size_t i, size_t) {
      Fill(rows_[owners[i]], pairs[i].job, answers[i], cells[owners[i]]);
    });
    return cells;
  }

 private:
  // What can be said without values; the pair if there are some.
  std::optional<AlgorithmPair> Look(const OldRow& row, Cells& cells) const {
    cells.reason = row.reason;
    cells.values.resize(options_.ask.algorithms.size());
    if (row.my == nullptr) return std::nullopt;
    cells.shape = ToText(row.my->stored.shape);
    if (options_.my_address) cells.my_address = AddressOf(sides_.my, *row.my);
    OldResult<OldAligned> aligned =
        row.golden == nullptr ? OldFailure{OldCode::kNoDump, row.reason}
                              : AlignRow(row, sides_, options_.alignment);
    if (!aligned) {
      cells.reason = aligned.error().text;
      cells.overflow = OverflowOf(*row.my);
      return std::nullopt;
    }
    cells.shape = ToText(aligned->shape);
    return AlgorithmPair{std::move(aligned->job), sides_.my.PathOf(*row.my),
                         sides_.golden.PathOf(*row.golden)};
  }

  // Told of a tensor that is not compared, too. Only float16 overflows.
  std::string OverflowOf(const TensorInfo& my) const {
    if (!options_.overflow || my.error() || my.stored.dtype != DType::kF16) {
      return "";
    }
    const StoredView view = sides_.my.ViewOf(my);
    const auto answer = AskMsaccucmp({view, view}, {.metrics = {}});
    return answer ? answer->overflow : "";
  }

  void Fill(const OldRow& row, const MeasureJob& job,
            const Result<MsaccucmpAnswer>& answer, Cells& cells) const {
    if (!answer) {
      cells.reason = fmt::format("[{}] {}", row.op, answer.error().what);
      return;
    }
    cells.my_type = TypeOf(*row.my, options_.alignment);
    cells.golden_type = TypeOf(*row.golden, options_.alignment);
    if (options_.golden_address &&
        options_.alignment == OldAlignment::kByName) {
      cells.golden_address = AddressOf(sides_.golden, *row.golden);
    }
    // Of the dump as it is, padding and what -max leaves out included.
    const bool all = !job.target.map && options_.ask.first == 0;
    cells.overflow = all ? answer->overflow : OverflowOf(*row.my);
    if (!answer->refusal.empty()) {
      cells.reason = answer->refusal;
      return;
    }
    cells.reason = answer->Reason();
    for (size_t i = 0; i < answer->cells.size(); ++i) {
      cells.values[i] = answer->cells[i].value;
    }
  }

  const std::vector<OldRow>& rows_;
  const OldSides& sides_;
  const OldTableOptions& options_;
};

std::vector<std::string> Heading(const OldTableOptions& options) {
  std::vector<std::string> line = {"Index"};
  if (options.sequence) line.emplace_back("OpSequence");
  line.insert(line.end(), {"OpType", "NPUDump", "DataType"});
  if (options.my_address) line.emplace_back("Address");
  line.insert(line.end(), {"GroundTruth", "DataType"});
  if (options.golden_address) line.emplace_back("Address");
  line.insert(line.end(), {"TensorIndex", "Shape"});
  if (options.overflow) line.emplace_back("OverFlow");
  for (const OldAlgorithm& algorithm : options.ask.algorithms) {
    line.push_back(algorithm.name);
  }
  line.emplace_back("CompareFailReason");
  return line;
}

std::vector<std::string> Line(const OldRow& row, const Cells& cells,
                              const OldTableOptions& options) {
  std::vector<std::string> line = {std::to_string(row.index)};
  if (options.sequence) line.push_back(std::to_string(row.sequence));
  line.insert(line.end(),
              {Shown(row.type), Shown(row.my_ops), Shown(cells.my_type)});
  if (options.my_address) line.push_back(Shown(cells.my_address));
  line.insert(line.end(), {row.golden_ops, Shown(cells.golden_type)});
  if (options.golden_address) line.push_back(Shown(cells.golden_address));
  line.insert(line.end(), {Shown(row.tensor), Shown(cells.shape)});
  if (options.overflow) line.push_back(Shown(cells.overflow));
  for (const std::string& value : cells.values) line.push_back(Shown(value));
  line.push_back(cells.reason);
  return line;
}

// A cell that begins like a formula is text.
std::string Harmless(const std::string& cell) {
  if (cell.empty() ||
      std::string_view("=+-%@").find(cell[0]) == std::string_view::npos) {
    return cell;
  }
  char* end = nullptr;
  std::strtod(cell.c_str(), &end);
  return *end == '\0' ? cell : "'" + cell;
}

// Everything behind TensorIndex is that of another row.
void CopyCells(const OldRows& rows, TableRows& table) {
  const auto column = std::ranges::find(table[0], "TensorIndex");
  const auto from = column - table[0].begin() + 1;
  std::unordered_map<std::string, size_t> lines;
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    if (!rows.rows[i].tensor.empty()) lines.emplace(rows.rows[i].tensor, i + 1);
  }
  for (size_t i = 0; i < rows.rows.size(); ++i) {
    const auto other = lines.find(rows.rows[i].copy_of);
    if (other == lines.end()) continue;
    std::copy(table[other->second].begin() + from, table[other->second].end(),
              table[i + 1].begin() + from);
  }
}

}  // namespace

TableRows FillTable(const OldRows& rows, const OldSides& sides,
                    const OldTableOptions& options) {
  const std::vector<Cells> cells = Filler(rows, sides, options).Run();
  TableRows table = {Heading(options)};
  for (size_t i = 0; i < cells.size(); ++i) {
    table.push_back(Line(rows.rows[i], cells[i], options));
  }
  CopyCells(rows, table);
  return table;
}

TableRows MappingTable(const OldRows& rows, const OldSides& sides,
                       bool sequence) {
  TableRows table(1);
  table[0] = {"Index",       "OpType",      "NPUDump",        "GroundTruth",
              "TensorIndex", "NPUDumpPath", "GroundTruthPath"};
  if (sequence) table[0].insert(table[0].begin() + 1, "OpSequence");
  for (const OldRow& row : rows.rows) {
    auto& line = table.emplace_back();
    line = {
        std::to_string(row.index),
        Shown(row.type),
        Shown(row.my_ops),
        row.golden_ops,
        Shown(row.tensor),
        row.my ? sides.my.PathOf(*row.my) : std::string(kNothing),
        row.golden ? sides.golden.PathOf(*row.golden) : std::string(kNothing)};
    if (sequence) {
      line.insert(line.begin() + 1, std::to_string(row.sequence));
    }
  }
  return table;
}

std::string TableText(const TableRows& table) {
  std::string text;
  for (std::vector<std::string> line : table) {
    std::ranges::transform(line, line.begin(), Harmless);
    text += CsvLine(line, LineEnd::kCrLf);
  }
  return text;
}

}  // namespace assay
