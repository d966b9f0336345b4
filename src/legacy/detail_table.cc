#include "legacy/detail_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/output_file.h"
#include "kernel/work_buffers.h"
#include "legacy/csv_table.h"
#include "legacy/detail_top.h"
#include "legacy/long_names.h"
#include "legacy/numpy.h"
#include "legacy/numpy_errors.h"

namespace assay {
namespace {

constexpr size_t kWriteAt = 1 << 20;  // bytes

// Row-major coordinates, counted up; at least four of them.
class Place {
 public:
  explicit Place(Shape shape) : shape_(std::move(shape)) {
    shape_.resize(std::max<size_t>(4, shape_.size()), 1);
    at_.resize(shape_.size(), 0);
  }

  // The coordinates of any element; one after the other is fast.
  std::string Text(uint64_t index) {
    if (index != next_) at_ = Coordinates(index, shape_);
    std::string text = fmt::format("{}", fmt::join(at_, " "));
    next_ = index + 1;
    for (size_t i = at_.size(); i-- > 0;) {
      if (++at_[i] < shape_[i]) break;
      at_[i] = 0;
    }
    return text;
  }

 private:
  Shape shape_, at_;
  uint64_t next_ = 0;
};

// All elements of the pair, as often as asked for.
class Elements {
 public:
  explicit Elements(const MeasureJob& job)
      : job_(job), errors_(job.target.dtype(), job.golden.dtype()) {}

  Status Walk(const std::function<void(const DetailElement&)>& visit) const {
    ASSIGN_OR_RETURN(const OpenView golden, OpenView::Open(job_.golden));
    ASSIGN_OR_RETURN(const OpenView target, OpenView::Open(job_.target));
    ASSIGN_OR_RETURN(
        PairBlocks blocks,
        PairBlocks::Open(golden, target, {0, RealCount(job_.golden)},
                         ReadMode::kRead, buffers_));
    while (true) {
      ASSIGN_OR_RETURN(const TilePair tile, blocks.Next());
      if (tile.n == 0) return Done{};
      switch (tile.type) {
        case TileType::kF32:
          Visit<float>(tile, visit);
          break;
        case TileType::kF64:
          Visit<double>(tile, visit);
          break;
        case TileType::kI64:
          Visit<int64_t>(tile, visit);
          break;
      }
    }
  }

 private:
  template <typename T>
  void Visit(const TilePair& tile,
             const std::function<void(const DetailElement&)>& visit) const {
    for (size_t i = 0; i < tile.n; ++i) {
      const T m = tile.Target<T>()[i], g = tile.Golden<T>()[i];
      DetailElement e{.index = tile.base + i,
                      .my = static_cast<double>(m),
                      .golden = static_cast<double>(g)};
      e.absolute = errors_.Absolute(m, g);
      e.relative = errors_.Relative(e.absolute, e.golden);
      // The original overwrites them before it prints anything.
      if (std::isinf(e.absolute)) e.absolute = kNaN;
      if (std::isinf(e.relative)) e.relative = kNaN;
      visit(e);
    }
  }

  static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  const MeasureJob& job_;
  NumpyErrors errors_;
  WorkBuffers buffers_;
};

// Smallest and largest error; what is not a number counts as 0.
struct Extremes {
  double least = std::numeric_limits<double>::infinity(), most = 0;

  void Add(double error) {
    if (std::isnan(error)) error = 0;
    least = std::min(least, error);
    most = std::max(most, error);
  }
};

class Detail {
 public:
  explicit Detail(const DetailRequest& request)
      : request_(request),
        count_(ElementCount(request.job.target.shape).value_or(0)),
        is_bool_(count_ > 0 && request.job.target.dtype() == DType::kBool &&
                 request.job.golden.dtype() == DType::kBool),
        place_(request.shape),
        elements_(request.job) {}

  Result<std::string> Run() {
    if (IsComplex(request_.job.target.dtype())) {
      return Unsupported("complex numbers have no table of errors");
    }
    DetailTop absolute(&DetailElement::absolute, Most());
    DetailTop relative(&DetailElement::relative, Most());
    RETURN_IF_ERROR(OpenTable(0));
    Status failed = Done{};
    RETURN_IF_ERROR(elements_.Walk([&](const DetailElement& e) {
      if (failed) failed = AddLine(e);
      absolutes_.Add(e.absolute);
      relatives_.Add(e.relative);
      absolute.Add(e);
      relative.Add(e);
      if (is_bool_ && firsts_.size() < MostOfBool()) firsts_.push_back(e);
    }));
    RETURN_IF_ERROR(failed);
    RETURN_IF_ERROR(CloseTable());
    std::string console;
    RETURN_IF_ERROR(WriteTop("absolute", absolute, console));
    RETURN_IF_ERROR(WriteTop("relative", relative, console));
    RETURN_IF_ERROR(WriteSummary());
    return console;
  }

 private:
  // Of fewer elements than asked for, the original shows one less.
  uint64_t Most() const {
    if (count_ >= request_.top || count_ < 2) {
      return std::min(request_.top, count_);
    }
    return count_ - 1;
  }

  // It shows them from the front, so that a single one is not shown.
  uint64_t MostOfBool() const {
    return count_ < request_.top ? count_ - 1 : request_.top;
  }

  std::string PathOf(const std::string& rest) const {
    return DetailPath(request_, rest);
  }

  CsvRow Heading() const {
    return {"Index",       request_.title,  "NPUDump",
            "GroundTruth", "AbsoluteError", "RelativeError"};
  }

  Status OpenTable(uint64_t first) {
    if (!request_.full_table) return Done{};
    ASSIGN_OR_RETURN(auto out,
                     OutputFile::Create(PathOf(fmt::format("_{}.csv", first))));
    table_.emplace(std::move(out));
    lines_ = CsvLine(Heading(), LineEnd::kLf);
    return Done{};
  }

  Status CloseTable() {
    if (!table_) return Done{};
    RETURN_IF_ERROR(table_->Append(lines_));
    return table_->Commit();
  }

  Status AddLine(const DetailElement& e) {
    if (!table_) return Done{};
    if (e.index > 0 && e.index % request_.lines == 0) {
      RETURN_IF_ERROR(CloseTable());
      RETURN_IF_ERROR(OpenTable(e.index));
    }
    CsvRow cells = Cells(e);
    for (size_t i = 2; i < cells.size() - 1; ++i) cells[i] += '\t';
    if (std::isnan(e.relative) || is_bool_) {
      cells.back() = "-";
    } else {
      cells.back() += '\t';
    }
    lines_ += CsvLine(cells, LineEnd::kLf);
    if (lines_.size() < kWriteAt) return Done{};
    RETURN_IF_ERROR(table_->Append(lines_));
    lines_.clear();
    return Done{};
  }

  CsvRow Cells(const DetailElement& e) {
    CsvRow cells = {std::to_string(e.index), place_.Text(e.index)};
    if (is_bool_) {
      cells.insert(cells.end(),
                   {BoolText(e.my != 0), BoolText(e.golden != 0), "-", "-"});
      return cells;
    }
    for (const double value : {e.my, e.golden, e.absolute, e.relative}) {
      cells.push_back(FixedText(value, 6));
    }
    return cells;
  }

  Status WriteTop(std::string_view kind, DetailTop& top, std::string& console) {
    std::vector<DetailElement> found = firsts_;
    if (!is_bool_) {
      ASSIGN_OR_RETURN(found, top.Take(count_, [this](const auto& visit) {
        return elements_.Walk(visit);
      }));
    }
    std::vector<CsvRow> shown = {Heading()}, written = {Heading()};
    for (const DetailElement& e : found) {
      CsvRow& cells = shown.emplace_back(Cells(e));
      for (size_t i = 2; i < cells.size(); ++i) {
        if (cells[i].ends_with("nan") || cells[i].ends_with("inf")) {
          cells[i] = "-";
        }
      }
      CsvRow& tabbed = written.emplace_back(cells);
      for (size_t i = 2; i < tabbed.size(); ++i) tabbed[i] += '\t';
    }
    console += "\n\n" + Aligned(shown);
    return WriteWhole(PathOf(fmt::format("_{}_error_topn.csv", kind)),
                      CsvText(written, LineEnd::kLf));
  }

  // Columns of equal width with tabs between them.
  static std::string Aligned(const std::vector<CsvRow>& rows) {
    std::vector<size_t> widths(rows[0].size());
    for (const CsvRow& row : rows) {
      for (size_t i = 0; i < row.size(); ++i) {
        widths[i] = std::max(widths[i], row[i].size());
      }
    }
    std::string out;
    for (const CsvRow& row : rows) {
      for (size_t i = 0; i < row.size(); ++i) {
        out += fmt::format("{}{:<{}}", i > 0 ? "\t" : "", row[i], widths[i]);
      }
      out += '\n';
    }
    return out;
  }

  std::string ErrorText(double error) const {
    if (is_bool_) return "-";
    return count_ == 0 ? "nan" : FixedText(error, 6);
  }

  Status WriteSummary() const {
    std::string golden = request_.golden_ops;
    std::ranges::replace(golden, ',', ' ');
    std::string my = request_.my_ops;
    std::ranges::replace(my, ',', ' ');
    return WriteWhole(
        PathOf("_summary.txt"),
        fmt::format("TotalCount:{}\nNPUDump:{}\nGroundTruth:{}\nFormat:{}\n"
                    "MinAbsoluteError:{}\nMaxAbsoluteError:{}\n"
                    "MinRelativeError:{}\nMaxRelativeError:{}\n",
                    count_, my, golden, request_.title,
                    ErrorText(absolutes_.least), ErrorText(absolutes_.most),
                    ErrorText(relatives_.least), ErrorText(relatives_.most)));
  }

  const DetailRequest& request_;
  uint64_t count_;
  bool is_bool_;
  Place place_;
  Elements elements_;
  Extremes absolutes_, relatives_;
  std::vector<DetailElement> firsts_;  // of booleans
  std::optional<OutputFile> table_;
  std::string lines_;  // not written yet
};

}  // namespace

std::string DetailPath(const DetailRequest& request, const std::string& rest) {
  const std::string old = request.prefix + rest;
  std::string name = old;
  if (name.size() >= kTooLongName) name = request.short_prefix + rest;
  if (name.size() >= kTooLongName) {
    const bool part = rest.ends_with(".csv") && !rest.ends_with("topn.csv");
    name = UuidOf(old) + (part ? ".csv" : rest);
  }
  if (name != old) {
    NoteReplacedName(request.folder + "/simple_op_mapping.csv", name, old);
  }
  return request.folder + "/" + name;
}

Result<std::string> WriteDetail(const DetailRequest& request) {
  return Detail(request).Run();
}

}  // namespace assay
