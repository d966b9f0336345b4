#include "legacy/single_operator.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "legacy/detail_table.h"
#include "legacy/old_files.h"
#include "legacy/old_layout.h"
#include "pairing/rule_sets.h"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string TensorName(const SingleOperator& wanted) {
  return fmt::format("{}:{}:{}", wanted.op, wanted.input ? "input" : "output",
                     wanted.tensor);
}

OldStatus CheckRule(const FusionRule& rule, const std::string& name) {
  const RuleOp* op = rule.Find(name);
  if (op == nullptr) {
    return Failure(OldCode::kParameter,
                   "There is no \"{}\" in the fusion rule file.", name);
  }
  if (!op->in_between && !IsInner(*op)) return Done{};
  return Failure(OldCode::kUnsupported,
                 "The operator \"{}\" is inside a fusion or between "
                 "quantisations; there is nothing to compare it with.",
                 name);
}

OldResult<const TensorInfo*> FindTensor(const OldOperators& ops,
                                        const SingleOperator& wanted) {
  const auto tensors = ops.Of(wanted.op);
  if (tensors.empty()) {
    return Failure(OldCode::kNoDump,
                   "There is no dump file for the operator \"{}\".", wanted.op);
  }
  const Port port = wanted.input ? Port::kInput : Port::kOutput;
  for (const TensorInfo* t : tensors) {
    if (t->id.port == port && t->id.index == wanted.tensor) return t;
  }
  return Failure(OldCode::kIndex, "There is no {}.", TensorName(wanted));
}

// Two device dumps: the same tensor of both, stored in the same way.
OldResult<OldRow> RowByName(const Network& network, const TensorInfo& my,
                            const SingleOperator& wanted) {
  const auto golden = FindTensor(*network.golden_ops, wanted);
  if (!golden) return golden.error();
  if ((*golden)->stored.shape == my.stored.shape &&
      (*golden)->stored.layout != my.stored.layout) {
    return Failure(OldCode::kFormat, "The formats {} and {} are not the same.",
                   Name(my.stored.layout), Name((*golden)->stored.layout));
  }
  OldRow row{.my_ops = wanted.op, .golden_ops = wanted.op, .op = wanted.op};
  row.tensor = TensorName(wanted);
  row.my = &my;
  row.golden = *golden;
  return row;
}

OldResult<OldRow> FindRow(const Network& network,
                          const SingleOperator& wanted) {
  if (network.rule) {
    if (auto fine = CheckRule(*network.rule, wanted.op); !fine) {
      return fine.error();
    }
  }
  const auto my = FindTensor(*network.my_ops, wanted);
  if (!my) return my.error();
  if (!network.rule) return RowByName(network, **my, wanted);
  OldRow row =
      RowOfTensor(PlanOf(network), *network.rule->Find(wanted.op), **my);
  if (row.golden == nullptr) return OldFailure{row.code, row.reason};
  if (row.golden_ops.empty()) row.golden_ops = "*";
  return row;
}

std::string Spaced(std::string_view letters) {
  std::string out;
  for (const char letter : letters) {
    if (!out.empty()) out += ' ';
    out += letter;
  }
  return out;
}

// What the coordinates are.
std::string TitleOf(const OldRow& row, const Network& network) {
  const StoredTensor& my = row.my->stored;
  if (HasDepth(my.layout)) return Spaced("NCDHW");
  if (my.layout == Layout::kFractalZ && network.rule) {
    return Spaced(IsAscend(network.golden) ? Name(row.golden->stored.layout)
                                           : row.layout);
  }
  return my.shape.empty() ? "ID" : Spaced("NCHW");
}

// PREFIX of the files: the operator's name, and for one that is too long that
// of the dump.
void SetPrefixes(const Network& network, const OldRow& row,
                 const SingleOperator& wanted, DetailRequest& request) {
  const std::string rest =
      fmt::format("_{}_{}", wanted.input ? "input" : "output", wanted.tensor);
  std::string op = wanted.op;
  std::ranges::replace(op, '/', '_');
  std::string dump = fs::path(network.my.PathOf(*row.my)).filename();
  std::ranges::replace(dump, '.', '_');
  request.prefix = op + rest;
  request.short_prefix = dump + rest;
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

}  // namespace

OldStatus CompareOperator(const Network& network, const SingleOperator& wanted,
                          const std::string& folder) {
  const auto row = FindRow(network, wanted);
  if (!row) return row.error();
  OldAlignment alignment = network.alignment;
  if (alignment == OldAlignment::kByRule) alignment = OldAlignment::kDetail;
  if (alignment == OldAlignment::kByName) alignment = OldAlignment::kStored;
  auto aligned = AlignRow(*row, network.sides(), alignment);
  if (!aligned) return aligned.error();
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  DetailRequest request{.job = std::move(aligned->job),
                        .shape = aligned->shape,
                        .title = TitleOf(*row, network),
                        .my_ops = row->my_ops,
                        .golden_ops = row->golden_ops,
                        .folder = folder,
                        .top = wanted.top,
                        .lines = wanted.lines,
                        .full_table = wanted.full_table};
  SetPrefixes(network, *row, wanted, request);
  RemoveOldFiles(folder, request.prefix);
  const auto array = WriteNpy(request.job.target, DetailPath(request, ".npy"));
  if (!array) return Failure(OldCode::kWrite, array.error());
  const auto console = WriteDetail(request);
  if (!console) return Failure(OldCode::kWrite, console.error());
  fmt::print("{}", *console);
  return Done{};
}

}  // namespace assay
