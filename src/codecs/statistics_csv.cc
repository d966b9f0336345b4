// Tables of statistics that dump tools write instead of values: one line per
// tensor, its columns named by the first line.
//   Ascend, one table per operator:
//     Input/Output,Index,Data Size,Data Type,Format,Shape,Max Value,Min Value,
//     Avg Value,Count,Nan Count,Negative Inf Count,Positive Inf Count
//   MindSpore, ATB and msit, one table for many operators: the same under
//     slightly other names, and the operator's name.
// Tensors are called input:0, output:1, or OPERATOR/input:0.
#include <array>
#include <memory>

#include "base/text.h"
#include "codecs/codec.h"
#include "codecs/statistics_cell.h"

namespace assay {
namespace {

enum Column : size_t {
  kOperator,
  kPort,
  kIndex,
  kType,
  kFormat,
  kShape,
  kMin,
  kMax,
  kMean,
  kL2,
  kNan,
  kNegativeInf,
  kPositiveInf,
  kHash,
  kColumns,
};

// Lower case, without spaces.
constexpr struct {
  std::string_view name;
  Column column;
} kNames[] = {
    {"opname", kOperator},
    {"nodename", kOperator},
    {"input/output", kPort},
    {"inputoutput", kPort},
    {"io", kPort},
    {"index", kIndex},
    {"slot", kIndex},
    {"datatype", kType},
    {"dtype", kType},
    {"format", kFormat},
    {"shape", kShape},
    {"minvalue", kMin},
    {"min", kMin},
    {"maxvalue", kMax},
    {"max", kMax},
    {"avgvalue", kMean},
    {"mean", kMean},
    {"l2norm", kL2},
    {"l2normvalue", kL2},
    {"norm", kL2},
    {"nancount", kNan},
    {"negativeinfcount", kNegativeInf},
    {"positiveinfcount", kPositiveInf},
    {"md5value", kHash},
};

// Where the columns stand in a line.
struct Header {
  std::vector<std::string> names;
  std::array<std::optional<size_t>, kColumns> at;
};

Header ParseHeader(std::string_view line) {
  Header header{.names = SplitCells(line)};
  for (size_t i = 0; i < header.names.size(); ++i) {
    std::string name = Lower(header.names[i]);
    std::erase(name, ' ');
    for (const auto& row : kNames) {
      if (row.name == name && !header.at[row.column]) header.at[row.column] = i;
    }
  }
  return header;
}

// Other tables have some of these columns, not all.
bool IsTable(const Header& header) {
  return header.at[kPort] && header.at[kIndex] && header.at[kType] &&
         header.at[kShape] && (header.at[kMax] || header.at[kHash]);
}

std::string_view FirstLine(std::string_view text) {
  text = WithoutByteOrderMark(text);
  return Trim(text.substr(0, text.find('\n')));
}

bool IsStatistics(const Sniff& file) {
  const std::string_view line = FirstLine(file.head);
  // Most files are arrays: no need to take their bytes apart.
  return line.find('\0') == line.npos && IsTable(ParseHeader(line));
}

// One line, cell by cell; keeps the first error.
class Line {
 public:
  Line(const Header& header, std::string_view text)
      : header_(header), cells_(SplitCells(text)) {
    if (cells_.size() == header_.names.size()) return;
    error = Corrupt("{} where the first line has {}",
                    Counted(cells_.size(), "cell"), header_.names.size());
    cells_.resize(header_.names.size());
  }

  std::string_view Text(Column column) const {
    return header_.at[column] ? cells_[*header_.at[column]]
                              : std::string_view();
  }

  // What `parse` makes of a cell; nothing where the table has none.
  template <typename Parse>
  auto Parsed(Column column, Parse parse, std::string_view what)
      -> decltype(parse(std::string_view())) {
    if (IsNothing(Text(column))) return std::nullopt;
    auto value = parse(Text(column));
    if (!value && !error) {
      error = Corrupt("'{}' in column '{}' is no {}", Text(column),
                      header_.names[*header_.at[column]], what);
    }
    return value;
  }
  std::optional<double> Number(Column column) {
    return Parsed(column, ParseNumber, "number");
  }
  std::optional<uint64_t> Count(Column column) {
    return Parsed(column, ParseCount, "count");
  }

  std::optional<Error> error;

 private:
  const Header& header_;
  std::vector<std::string> cells_;
};

TensorSummary Summarise(Line& line) {
  TensorSummary summary{.min = line.Number(kMin),
                        .max = line.Number(kMax),
                        .mean = line.Number(kMean),
                        .l2 = line.Number(kL2),
                        .nan = line.Count(kNan),
                        .inf = {},
                        .negative_inf = {},
                        .hash = {},
                        .shape_known = true};
  const auto negative = line.Count(kNegativeInf);
  const auto positive = line.Count(kPositiveInf);
  if (negative || positive) {
    summary.inf = negative.value_or(0) + positive.value_or(0);
  }
  if (positive) summary.negative_inf = negative;
  if (!IsNothing(line.Text(kHash))) summary.hash = line.Text(kHash);
  return summary;
}

Result<StoredTensor> ParseLine(const Header& header, std::string_view text) {
  Line line(header, text);
  TensorSummary summary = Summarise(line);
  StoredTensor tensor{
      .dtype = StatisticsType(line.Text(kType)),
      .layout = ParseLayout(line.Text(kFormat)).value_or(Layout::kND)};
  const auto port = line.Parsed(kPort, ParsePort, "Input or Output");
  const auto index = line.Parsed(kIndex, ParseIndex, "index");
  const auto shape = line.Parsed(kShape, ParseCellShape, "shape");
  if (line.error) return *std::move(line.error);
  if (!port || !index) return Corrupt("it does not say which tensor it is of");
  tensor.name = fmt::format("{}:{}", *port, *index);
  if (!line.Text(kOperator).empty()) {
    tensor.name = fmt::format("{}/{}", line.Text(kOperator), tensor.name);
  }
  // "-" stands for no dimensions, other words for a shape nobody knows.
  summary.shape_known = shape || line.Text(kShape) == "-";
  tensor.shape = shape.value_or(Shape{});
  tensor.summary = std::make_shared<const TensorSummary>(std::move(summary));
  return tensor;
}

Result<std::vector<StoredTensor>> List(const InputFile& file,
                                       const CodecHints&) {
  ASSIGN_OR_RETURN(const std::string text, file.Text(0, file.size()));
  const std::string_view first = FirstLine(text);
  const Header header = ParseHeader(first);
  if (!IsTable(header)) {
    return Corrupt("the first line does not name the columns of statistics")
        .AtLine(file.path(), 1);
  }
  std::vector<StoredTensor> tensors;
  uint64_t number = 0;
  for (std::string_view line : Split(text, '\n')) {
    ++number;
    line = Trim(line);
    // Tools that append to a table may write its first line again.
    if (number == 1 || line.empty() || line == first) continue;
    auto tensor = ParseLine(header, line);
    if (!tensor) {
      return std::move(tensor)
          .error()
          .AtLine(file.path(), number)
          .Hint("the table is damaged, or the dump was interrupted");
    }
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

}  // namespace

extern constinit const Codec kStatistics = {
    .name = "statistics",
    .summary = "table of statistics (Ascend, MindSpore, ATB, msit), no values",
    .extensions = ".csv",
    .sniff = IsStatistics,
    .list = List,
    .write = nullptr,
    .many = true,
};

}  // namespace assay
