#include "legacy/single_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "codecs/codec.h"
#include "kernel/value_stream.h"
#include "legacy/detail_table.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestName = 255;
constexpr std::string_view kLongestSuffix = "_absolute_error_topn.csv";

std::string TensorName(const SingleOperator& wanted) {
  return fmt::format("{}:{}:{}", wanted.op, wanted.input ? "input" : "output",
                     wanted.tensor);
}

// Why the operator itself cannot be looked at.
OldStatus CheckOperator(const Network& network, const SingleOperator& wanted) {
  if (network.rule) {
    const RuleOp* op = network.rule->Find(wanted.op);
    if (op == nullptr) {
      return Failure(OldCode::kParameter,
                     "There is no \"{}\" in the fusion rule file.", wanted.op);
    }
    const bool inner =
        op->multi_op && std::ranges::all_of(op->outputs, [](const auto& t) {
          return t.origin.empty();
        });
    if (op->in_between ||
        (inner && network.rule->GroupOf(*op).ops.size() > 1)) {
      return Failure(OldCode::kUnsupported,
                     "The operator \"{}\" is inside a fusion or between "
                     "quantisations; there is nothing to compare it with.",
                     wanted.op);
    }
  }
  const auto tensors = network.my_ops->Of(wanted.op);
  if (tensors.empty()) {
    return Failure(OldCode::kNoDump,
                   "There is no dump file for the operator \"{}\".", wanted.op);
  }
  const Port port = wanted.input ? Port::kInput : Port::kOutput;
  if (std::ranges::none_of(tensors, [&](const TensorInfo* t) {
        return t->id.port == port && t->id.index == wanted.tensor;
      })) {
    return Failure(OldCode::kIndex, "There is no {}.", TensorName(wanted));
  }
  return Done{};
}

OldResult<OldRow> FindRow(const Network& network,
                          const SingleOperator& wanted) {
  for (OldRow& row : RowsOf(network).rows) {
    if (row.tensor != TensorName(wanted)) continue;
    if (row.golden == nullptr) return OldFailure{OldCode::kNoDump, row.reason};
    return std::move(row);
  }
  return Failure(OldCode::kUnsupported,
                 "{} is not compared: another member of its group is newer, or "
                 "it is quantised.",
                 TensorName(wanted));
}

// The dimensions of a view in another order.
void Permute(std::span<const size_t> axes, StoredView& view) {
  if (view.shape.size() != axes.size()) return;
  if (!view.map) {
    std::vector<int64_t> strides(view.shape.size(), 1);
    for (size_t i = strides.size() - 1; i-- > 0;) {
      strides[i] = strides[i + 1] * view.shape[i + 1];
    }
    view.map =
        StridedMap(view.shape, strides, ElementCount(view.shape).value_or(0));
  }
  const std::vector<MapAxis> from = view.map->axes;
  const Shape shape = view.shape;
  for (size_t i = 0; i < axes.size(); ++i) {
    view.map->axes[i] = from[axes[i]];
    view.shape[i] = shape[axes[i]];
  }
}

// Elements are shown in the order N C H W, whatever the framework's is.
void ShowChannelsFirst(std::string_view letters, MeasureJob& job) {
  const std::string_view wanted = letters.size() == 5 ? "NCDHW" : "NCHW";
  if (letters == wanted || letters.size() != wanted.size()) return;
  std::vector<size_t> axes;
  for (const char letter : wanted) axes.push_back(letters.find(letter));
  Permute(axes, job.golden);
  Permute(axes, job.target);
}

std::string Spaced(std::string_view letters) {
  std::string out;
  for (const char letter : letters) {
    if (!out.empty()) out += ' ';
    out += letter;
  }
  return out;
}

// PREFIX of the files; a name that no disk takes is replaced by that of the
// dump.
std::string PrefixOf(const Network& network, const OldRow& row,
                     const SingleOperator& wanted, const std::string& folder) {
  std::string op = wanted.op;
  std::ranges::replace(op, '/', '_');
  const std::string rest =
      fmt::format("_{}_{}", wanted.input ? "input" : "output", wanted.tensor);
  if (op.size() + rest.size() + kLongestSuffix.size() < kLongestName) {
    return op + rest;
  }
  const std::string file =
      fs::path(network.my.PathOf(*row.my)).filename().string() + rest;
  if (std::FILE* log =
          std::fopen((folder + "/simple_op_mapping.csv").c_str(), "a")) {
    fmt::print(log, "{},{}\n", file, op + rest);
    std::fclose(log);
  }
  return file;
}

void RemoveOldFiles(const std::string& folder, const std::string& prefix) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename();
    if (name == prefix + ".npy" || name.starts_with(prefix + "_")) {
      fs::remove(entry.path(), error);
    }
  }
}

Status WriteArray(const StoredView& view, const std::string& path) {
  WorkBuffers buffers;
  const Codec& npy = *FindCodec("npy");
  const DType type =
      npy.holds(view.dtype()) ? view.dtype() : Widened(view.dtype());
  ASSIGN_OR_RETURN(const OpenView open, OpenView::Open(view));
  ASSIGN_OR_RETURN(ValueStream values, ValueStream::Open(open, type, buffers));
  TensorToWrite tensor{.name = "", .dtype = type, .shape = view.shape};
  tensor.next = [&] { return values.Next(); };
  ASSIGN_OR_RETURN(OutputFile out, OutputFile::Create(path));
  RETURN_IF_ERROR(npy.write({&tensor, 1}, out));
  return out.Commit();
}

}  // namespace

OldStatus CompareOperator(const Network& network, const SingleOperator& wanted,
                          const std::string& folder) {
  if (auto fine = CheckOperator(network, wanted); !fine) return fine;
  const auto row = FindRow(network, wanted);
  if (!row) return row.error();
  const OldAlignment alignment = network.alignment == OldAlignment::kByName
                                     ? OldAlignment::kStored
                                     : network.alignment;
  OldAligned aligned = AlignRow(*row, network.sides(), alignment);
  if (!aligned.job) return Failure(OldCode::kShape, "{}", aligned.reason);
  const auto layout = ParseLayout(row->layout);
  const std::string_view letters = layout ? Dimensions(*layout) : "";
  ShowChannelsFirst(letters, *aligned.job);
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  DetailRequest request{
      .job = *std::move(aligned.job),
      .title = letters.size() == 5 ? Spaced("NCDHW") : Spaced("NCHW"),
      .my_ops = wanted.op,
      .golden_ops = row->golden_ops,
      .folder = folder,
      .top = wanted.top,
      .lines = wanted.lines,
      .full_table = wanted.full_table};
  request.prefix = PrefixOf(network, *row, wanted, folder);
  request.shape = request.job.target.shape;
  RemoveOldFiles(folder, request.prefix);
  const auto array =
      WriteArray(request.job.target, folder + "/" + request.prefix + ".npy");
  if (!array) return Failure(OldCode::kWrite, array.error());
  const auto console = WriteDetail(request);
  if (!console) return Failure(OldCode::kWrite, console.error());
  fmt::print("{}", *console);
  return Done{};
}

}  // namespace assay
